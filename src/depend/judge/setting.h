// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search over runs of a system asks of the program again and again, found once: whom an entry may disturb, which
// variables are devices, where inputs come from, what matters.
#pragma once
#include <map>
#include <memory>
#include <set>

#include "depend/access/access_facts.h"
#include "depend/judge/loops.h"
#include "depend/risk/triples.h"
#include "depend/system/system.h"
#include "depend/values/input_values.h"
#include "depend/values/live_slots.h"

namespace heddle::depend {

struct Setting {
  explicit Setting(AccessFacts& known);
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

  AccessFacts& facts;
  const Program& program = facts.program;
  const System& system = facts.system;
  const api::ApiModels& models = system.models();
  const CallGraph& calls = facts.calls;
  const SharedAccesses& accesses = facts.accesses;
  Touches touches;
  Loops loops;

  /// What matters for one triple.
  struct Focus {
    Focus(const Setting& setting, const std::set<GlobalId>* wanted);
    Relevance relevance;
    InputValues inputs;
    LiveSlots live;
  };
  /// Whoever runs something looks at one triple at a time. Before this, everything matters.
  void focus_on(const Triple& triple);
  [[nodiscard]] const Relevance& relevance() const { return focus_->relevance; }
  [[nodiscard]] InputValues& inputs() { return focus_->inputs; }
  [[nodiscard]] LiveSlots& live() { return focus_->live; }

  /// A run of the entry, or of who can interrupt it, and so on, may touch the variable, and one of the two writes; or
  /// it may end masks of others, and let in who does.
  [[nodiscard]] bool may_disturb(std::size_t entry, GlobalId variable, bool is_write) const {
    const Uses& uses = used_[entry];
    return uses.ends_masks || uses.writes[variable.index()] || (is_write && uses.reads[variable.index()]);
  }
  /// The entries that a triple has to do with: who may make one of its accesses; who writes what decides something in
  /// one of these; and so on. A run without the others is a run too, and what they do changes nothing in it: without
  /// them only more may come. Init entries take part.
  [[nodiscard]] std::vector<bool> taking_part(const Triple& triple) const;
  /// What the one does may change what the other does, if only by way of third ones.
  [[nodiscard]] bool is_related(std::size_t a, std::size_t b) const { return related_[a] == related_[b]; }
  /// The world outside gives it its values: it is not defined here, or volatile and written by nobody.
  [[nodiscard]] bool is_device(GlobalId variable) const { return devices_[variable.index()]; }
  /// Some function of the program writes it.
  [[nodiscard]] bool is_written(GlobalId variable) const;
  /// The device register that lies there; invalid: none.
  [[nodiscard]] GlobalId register_at(std::uint64_t address) const;
  /// The function of the entry cannot return.
  [[nodiscard]] bool is_endless(std::size_t entry) const { return endless_[entry]; }
  /// Some entry of the system has to wait for the end of this one, or for a pause.
  [[nodiscard]] bool is_waited_for(std::size_t entry) const { return waited_for_[entry]; }
  /// Who can interrupt a run that interrupted another could have interrupted that one too.
  [[nodiscard]] bool is_order_transitive() const { return is_transitive_; }

 private:
  struct Uses {
    std::vector<bool> reads, writes;
    bool ends_masks = false;
    bool has_locks = false;
  };
  void find_uses();
  void find_mask_ends();
  [[nodiscard]] bool has_step(std::size_t entry, bool begins) const;
  [[nodiscard]] bool has_locks(std::size_t entry) const;
  [[nodiscard]] bool may_make(std::size_t entry, const Access& access) const;
  void find_related();
  void find_devices();
  void find_order();

  std::unique_ptr<Focus> focus_;
  std::set<GlobalId> wanted_;         ///< variables of the triple in focus
  std::vector<Uses> own_, used_;      ///< of the entry alone; with all that may interrupt it
  std::vector<std::size_t> related_;  ///< by entry: the first one of its group
  std::map<std::uint64_t, GlobalId> registers_;
  std::vector<bool> devices_, endless_, waited_for_;
  bool is_transitive_ = true;
};

}  // namespace heddle::depend
