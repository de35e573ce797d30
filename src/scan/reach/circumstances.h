// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under which circumstances accesses are made: the locks held and who runs beside. Millions of accesses have some
// thousand between them, so they are numbered, and pairs are looked for between numbers.
//
//   handle() line 7, line 9, set() line 3     ->   5: {conn.lock}, in thread `worker`
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash_slots.h"
#include "scan/reach/reach.h"

namespace heddle::scan {

struct Circumstances {
  std::vector<NamedLock> locks;
  std::vector<std::uint32_t> kinds;  ///< of locks that cannot be compared, see LockNames::kind_of; sorted
  Reach::Side side;
  GlobalId global;             ///< the one the memory lies in, if that is known
  std::uint32_t lock_set = 0;  ///< the number of `locks` and `kinds`
  NamedHistory history = {};   ///< of the locks, if they are asked for
};

enum class Histories : bool { NotAsked, Asked };

class CircumstanceTable {
 public:
  CircumstanceTable(const ScanInput& input, const std::vector<FunctionSummary>& summaries, Reach& reach,
                    LockNames& names, Histories histories = Histories::NotAsked)
      : in_(input), summaries_(summaries), reach_(reach), names_(names), histories_(histories) {}

  /// Those of an access in a group of a summary, at an offset from the group's node. Fast when asked group by group.
  std::uint32_t of(FunctionId holder, std::uint32_t group, Phase phase, std::int32_t offset);
  /// One number for those in all these phases; 0: they depend on the offset.
  std::uint64_t of_all(FunctionId holder, std::uint32_t group, std::span<const Phase> phases);
  [[nodiscard]] const Circumstances& operator[](std::uint32_t number) const { return all_[number]; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }

 private:
  /// The last answer.
  struct Known {
    FunctionId holder;
    std::uint32_t group = 0;
    std::int32_t offset = 0;
    bool has_near_lock = false;  ///< a lock beside the data, or that it points to: its name depends on the offset
    std::uint32_t number = 0;
  };
  using LockSets = std::map<std::pair<std::vector<NamedLock>, std::vector<std::uint32_t>>, std::uint32_t>;
  /// What accesses to any memory of one function have in common, in a phase.
  struct State {
    const LockSets::value_type* locks = nullptr;
    Reach::Side side;
  };
  struct IdKey {
    std::uint32_t locks = 0, history = 0, global = 0;
    Reach::Side side;
    friend bool operator==(const IdKey&, const IdKey&) = default;
  };
  struct IdHash {
    std::size_t operator()(const IdKey& k) const {
      const auto two = [](std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; };
      return mixed(mixed(two(k.locks, k.history), two(k.global, static_cast<std::uint32_t>(k.side.phase))),
                   two(k.side.roots, k.side.live));
    }
  };
  const State& state_at(FunctionId holder, const AccessGroup& group, Phase phase, std::int32_t offset);
  std::vector<NamedLock> locks_of(const FunctionSummary& summary, const AccessGroup& group, const Visit& visit,
                                  std::int32_t offset);
  std::vector<std::uint32_t> kinds_of(const FunctionSummary& summary, const AccessGroup& group, const Visit& visit);
  [[nodiscard]] bool has_near_lock(const FunctionSummary& summary, const AccessGroup& group) const;
  std::uint32_t intern(const State& state, GlobalId global, NamedHistory&& history);

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  Reach& reach_;
  LockNames& names_;
  const Histories histories_;
  std::array<Known, phase_count> known_;  ///< by phase
  /// Of the function asked about last, by phase, lockset and threads; with locks of its own also by node and offset.
  std::map<std::tuple<Phase, std::uint32_t, std::uint32_t, NodeId, std::int32_t>, State> states_;
  FunctionId states_of_;
  std::vector<Circumstances> all_;
  LockSets lock_sets_;
  std::map<NamedHistory, std::uint32_t> history_ids_;
  std::unordered_map<IdKey, std::uint32_t, IdHash> ids_;  ///< only looked up
};

}  // namespace heddle::scan
