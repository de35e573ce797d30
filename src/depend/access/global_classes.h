// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which global variables an address may lead to: the one that it lies in wherever it is made, else all that its class
// of the alias facts holds. Constants are left out: nobody writes them.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "alias/alias_facts.h"
#include "alias/global_places.h"
#include "program/model/program.h"

namespace heddle::depend {

class GlobalClasses {
 public:
  GlobalClasses(const Program& program, const alias::AliasFacts& aliases, const alias::GlobalPlaces& places)
      : aliases_(aliases), places_(places) {
    for (std::size_t g = 0; g < program.globals.size() && !program.functions.empty(); ++g) {
      if (program.globals[GlobalId(g)].is_constant) continue;
      const alias::Place place = aliases.place(FunctionId(0), Operand::global(GlobalId(g)));
      if (place.valid() && place.object.valid()) globals_[place.object].push_back(GlobalId(g));
    }
  }

  /// In the class.
  [[nodiscard]] std::span<const GlobalId> in(alias::ClassId object) const {
    const auto found = globals_.find(object);
    return found == globals_.end() ? std::span<const GlobalId>() : found->second;
  }
  [[nodiscard]] std::vector<GlobalId> behind(FunctionId function, Operand address) const {
    if (const GlobalId global = places_.global(function, address); global.valid()) return {global};
    const alias::Place leads = aliases_.place(function, address);
    if (!leads.valid()) return {};
    const std::span<const GlobalId> all = in(leads.object);
    return {all.begin(), all.end()};
  }

 private:
  const alias::AliasFacts& aliases_;
  const alias::GlobalPlaces& places_;
  std::map<alias::ClassId, std::vector<GlobalId>> globals_;
};

}  // namespace heddle::depend
