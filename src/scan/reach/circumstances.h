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
#include <vector>

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
  std::vector<NamedLock> locks_of(const FunctionSummary& summary, const AccessGroup& group, const Visit& visit,
                                  std::int32_t offset);
  std::vector<std::uint32_t> kinds_of(const FunctionSummary& summary, const AccessGroup& group, const Visit& visit);
  [[nodiscard]] bool has_near_lock(const FunctionSummary& summary, const AccessGroup& group) const;
  std::uint32_t intern(Circumstances&& found);

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  Reach& reach_;
  LockNames& names_;
  const Histories histories_;
  std::array<Known, phase_count> known_;  ///< by phase
  std::vector<Circumstances> all_;
  std::map<std::pair<std::vector<NamedLock>, std::vector<std::uint32_t>>, std::uint32_t> lock_sets_;
  std::map<NamedHistory, std::uint32_t> history_ids_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Reach::Side>, std::uint32_t> ids_;
};

}  // namespace heddle::scan
