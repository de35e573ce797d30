// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which object each access goes to, by its class of pointers. One access is compared with hundreds of others, so what
// the classes say of it is asked once and kept, in 4 bytes an access:
//
//   handle() line 7   c->state = 1    object 12
//   accept() line 9   calls free(c)   anywhere: it meets whatever has the same member
//   parse() line 3    local.n++       own: no other thread can come there
#pragma once
#include <cstdint>
#include <vector>

#include "alias/alias_facts.h"
#include "scan/calls/own_objects.h"
#include "scan/pairs/occurrences.h"

namespace heddle::scan {

class AccessPlaces {
 public:
  /// The number of an object, or one of these.
  using Spot = std::uint32_t;
  static constexpr Spot anywhere = ~0U;  ///< nobody knows which
  static constexpr Spot own = ~0U - 1;   ///< one that no other thread can come to

  AccessPlaces(const Program& program, const std::vector<FunctionSummary>& summaries, const alias::AliasFacts& aliases,
               const OwnObjects& own_objects)
      : program_(program), summaries_(summaries), aliases_(aliases), own_objects_(own_objects) {
    std::size_t accesses = 0;
    for (const FunctionSummary& summary : summaries) {
      first_.push_back(accesses);
      accesses += summary.own.size();
    }
    spots_.assign(accesses, not_asked);
  }

  /// From now on its spot can be asked for.
  void find(const Candidate& access) {
    if (Spot& spot = spots_[number_of(access)]; spot == not_asked) spot = spot_of(access);
  }
  [[nodiscard]] Spot operator[](const Candidate& access) const { return spots_[number_of(access)]; }
  [[nodiscard]] static bool may_meet(Spot a, Spot b) {
    if (a == own || b == own) return false;
    return a == anywhere || b == anywhere || a == b;
  }

 private:
  static constexpr Spot not_asked = ~0U - 2;
  [[nodiscard]] std::size_t number_of(const Candidate& c) const { return first_[c.function.index()] + c.own; }
  [[nodiscard]] Spot spot_of(const Candidate& c) const {
    const OwnAccess& access = own_access(summaries_, c);
    const alias::Place place = place_of(program_, aliases_, c.function, access);
    const auto given = given_to(program_, aliases_, c.function, access);
    if (given.empty() ? own_objects_.has(place) : own_objects_.has(given)) return own;
    const Opcode opcode = program_.functions[c.function].instructions[access.instruction].opcode;
    return place.valid() && has_one_address(opcode) ? aliases_.canonical(place).object.index() : anywhere;
  }
  /// Calls have operands that lead elsewhere, too.
  [[nodiscard]] static bool has_one_address(Opcode opcode) {
    switch (opcode) {
      case Opcode::Load:
      case Opcode::Store:
      case Opcode::MemCopy:
      case Opcode::MemSet:
      case Opcode::AtomicRmw:
      case Opcode::CmpXchg: return true;
      default: return false;
    }
  }

  const Program& program_;
  const std::vector<FunctionSummary>& summaries_;
  const alias::AliasFacts& aliases_;
  const OwnObjects& own_objects_;
  std::vector<std::size_t> first_;  ///< by function: where its accesses begin
  std::vector<Spot> spots_;         ///< by access
};

}  // namespace heddle::scan
