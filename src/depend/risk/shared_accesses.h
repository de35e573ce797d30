// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of a program to its global variables. An address that is the same place at every call is that place; behind
// other pointers stand all variables that the alias facts allow, as a whole.
#pragma once
#include <map>
#include <vector>

#include "alias/alias_facts.h"
#include "alias/global_places.h"
#include "program/model/program.h"
#include "program/names/access_site.h"

namespace heddle::depend {

struct Access {
  GlobalId variable;
  FunctionId function;
  std::size_t instruction = 0;
  bool reads = false, writes = false;
  std::int64_t offset = 0;  ///< in the variable
  std::uint64_t size = 0;   ///< 0: any part of it
};

/// They may touch the same bytes.
[[nodiscard]] inline bool may_meet(const Access& a, const Access& b) {
  if (a.variable != b.variable) return false;
  if (a.size == 0 || b.size == 0) return true;
  return a.offset < b.offset + static_cast<std::int64_t>(b.size) &&
         b.offset < a.offset + static_cast<std::int64_t>(a.size);
}

class SharedAccesses {
 public:
  SharedAccesses(const Program& program, const alias::AliasFacts& aliases);

  /// By variable, in the order of functions and instructions.
  [[nodiscard]] const std::map<GlobalId, std::vector<Access>>& all() const { return all_; }
  [[nodiscard]] const alias::GlobalPlaces& places() const { return places_; }

 private:
  void look_at(FunctionId function);
  void add(GlobalId global, FunctionId function, const AccessSite& site, std::int64_t offset, bool is_exact);

  const Program& program_;
  const alias::AliasFacts& aliases_;
  alias::GlobalPlaces places_;
  std::map<alias::ClassId, std::vector<GlobalId>> by_object_;
  std::map<GlobalId, std::vector<Access>> all_;
};

}  // namespace heddle::depend
