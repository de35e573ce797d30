// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of a program to its global variables. An address that is the same place at every call is that place; an
// element of an array at a distance that branches or a loop bound lies in a part of it; a pointer in a global variable
// leads where pointees.h says; behind other pointers stand all variables that the alias facts allow, as a whole. Calls
// of library functions access what their models say.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "alias/global_places.h"
#include "api/models/api_models.h"
#include "depend/access/conditions.h"
#include "depend/access/global_classes.h"
#include "depend/access/pointees.h"
#include "program/model/function_queries.h"
#include "program/model/program.h"
#include "program/names/access_site.h"

namespace heddle::depend {

/// `array[parameter]`: where it lies, the caller decides.
struct ByParameter {
  std::size_t parameter = 0;
  std::int64_t stride = 0, offset = 0;
};

struct Access {
  GlobalId variable;
  FunctionId function;
  std::size_t instruction = 0;
  bool reads = false, writes = false;
  std::int64_t offset = 0;            ///< in the variable
  std::uint64_t size = 0;             ///< 0: any part of it
  std::int64_t reach = 0;             ///< it lies so many bytes further behind, at most
  std::vector<std::int64_t> without;  ///< and not at these offsets
  std::optional<ByParameter> by;
};

/// It is at one place.
[[nodiscard]] inline bool is_fixed(const Access& access) { return access.size != 0 && access.reach == 0; }
/// Behind its last byte; of one that has a size.
[[nodiscard]] inline std::int64_t end_of(const Access& access) {
  return access.offset + access.reach + static_cast<std::int64_t>(access.size);
}
[[nodiscard]] inline std::uint32_t line_of(const Program& program, const Access& access) {
  return line_of(program, access.function, access.instruction);
}
/// They may touch the same bytes.
[[nodiscard]] bool may_meet(const Access& a, const Access& b);

class SharedAccesses {
 public:
  SharedAccesses(const Program& program, const api::ApiModels& models, const CallGraph& calls,
                 const alias::GlobalPlaces& places, const GlobalClasses& classes, const Pointees& pointees,
                 Numbers& numbers, ConditionFinder& conditions);

  /// By variable, in the order of functions and instructions.
  [[nodiscard]] const std::map<GlobalId, std::vector<Access>>& all() const { return all_; }
  /// Its address is given to a function that is not seen.
  [[nodiscard]] bool is_known_outside(GlobalId global) const { return outside_.contains(global); }
  /// What it is if it is made by this call of its function. A call that leads there by way of others says nothing.
  [[nodiscard]] Access called_from(const Access& access, FunctionId caller, std::size_t call) const;

 private:
  void look_at(FunctionId function);
  void look_at(FunctionId function, const AccessSite& site);
  void look_at_call(FunctionId function, std::size_t instruction);
  void look_at_model(FunctionId function, std::size_t instruction, const api::Model& model);
  [[nodiscard]] std::optional<std::uint64_t> bytes_of(FunctionId function, const Instruction& call,
                                                      const api::Length& length) const;
  void add(FunctionId function, const AccessSite& site, const alias::GlobalPlace& place);
  void add(GlobalId global, FunctionId function, const AccessSite& site, Access access);
  /// Where in the variable an element lies.
  [[nodiscard]] Access element(FunctionId function, const AccessSite& site, Operand address) const;

  const Program& program_;
  const api::ApiModels& models_;
  const CallGraph& calls_;
  const alias::GlobalPlaces& places_;
  const GlobalClasses& classes_;
  const Pointees& pointees_;
  Numbers& numbers_;
  ConditionFinder& conditions_;
  std::map<GlobalId, std::vector<Access>> all_;
  std::set<GlobalId> outside_;
};

}  // namespace heddle::depend
