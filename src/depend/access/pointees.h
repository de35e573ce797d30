// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a pointer that lies in a global variable leads.
//
//   int *u;  …  u = &a; *u = 1; u = &b; *u = 2;        a, then b
//
// What was stored last on every way through the function counts, if nobody who can interrupt it stores there; otherwise
// all that is ever stored. Nothing is said if something else than the address of a variable may be stored, or the store
// goes through a pointer. Cost: one walk over the program's stores, then one over a function for each question.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "alias/global_places.h"
#include "depend/access/call_graph.h"
#include "depend/access/global_classes.h"
#include "depend/system/system.h"

namespace heddle::depend {

class Pointees {
 public:
  /// `reached`: by entry and function.
  Pointees(const Program& program, const System& system, const CallGraph& calls, const alias::GlobalPlaces& places,
           const GlobalClasses& classes, const std::vector<std::vector<bool>>& reached);

  /// The places that the address may be; none: it is not known.
  [[nodiscard]] std::vector<alias::GlobalPlace> of(FunctionId function, Operand address) const;

 private:
  using Place = alias::GlobalPlace;
  struct Store {
    FunctionId function;
    std::size_t instruction = 0;
  };
  void look_at(FunctionId function);
  /// Somebody who can interrupt a run of the function stores there.
  [[nodiscard]] bool is_unsteady(FunctionId function, const std::vector<Store>& stores) const;
  [[nodiscard]] std::optional<Operand> last_stored(FunctionId function, std::size_t load,
                                                   const std::vector<Store>& stores) const;

  const Program& program_;
  const System& system_;
  const CallGraph& calls_;
  const alias::GlobalPlaces& places_;
  const GlobalClasses& classes_;
  const std::vector<std::vector<bool>>& reached_;
  std::map<Place, std::vector<Store>> stores_;
  std::set<GlobalId> unknown_;  ///< somebody stores there, and it is not known where
};

}  // namespace heddle::depend
