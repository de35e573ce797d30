// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names the memory that instructions touch: from values to AccessPaths.
//
//   %1 = gep %0 + 8        %0 is parameter d: struct dev *            →  d->priv
//   %2 = load ptr, %1      pointee of the member's type: struct priv  →  *d->priv
//   %3 = gep %2 + 24                                                  →  d->priv->stats.rx_p
//
// Every pointer value gets a Place (see type_walk.h). Roots are variables that debug records name, globals, and results
// of calls; a name wins over the value's definition, because that is what the source wrote at this point. A struct that
// an address computation names wins over the debug type: there was a cast. Values without a name are followed through
// casts, phis and selects to the first operand that has one; the path then says so with a Choice step.
//
// Names are for people and for keys of reports. They are not sound alias facts. Linear in the function; the places of
// the last function asked about are kept.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "program/model/program.h"
#include "program/names/access_path.h"
#include "program/names/access_site.h"
#include "program/names/struct_index.h"
#include "program/names/type_walk.h"

namespace heddle {

class AccessPathNamer {
 public:
  AccessPathNamer(const Program& program, AccessPathTable& table);

  /// What the first access of the instruction touches; the instruction must be an access.
  AccessPathId path_of_access(FunctionId function, std::size_t instruction);
  AccessPathId path_of_site(FunctionId function, const AccessSite& site);
  /// The object a pointer points to: `d->lock` for the argument of lock(&d->lock).
  AccessPathId path_of_value(FunctionId function, Operand pointer);
  /// The same where the object is known to be of a source type: `pool.jobs`, not `pool` whose first member that is.
  AccessPathId path_of_object(FunctionId function, Operand pointer, TypeId type);

 private:
  enum class State : std::uint8_t { Unseen, Open, Done };

  void enter(FunctionId function);
  Place place_of(Operand pointer);
  Place place_of_value(ValueId value);
  Place compute(ValueId value);
  Place from_name(const ValueName& name);
  Place from_definition(ValueId value);
  Place from_load(const Instruction& load, Operand address);
  Place from_gep(ValueId value, const Instruction& gep);
  Place from_call(ValueId value, const Instruction& call);
  Place from_choice(ValueId value, std::span<const Operand> candidates);
  Place from_extract(ValueId value, const Instruction& extract);
  Place from_integer(Operand integer, int depth);
  Place view_as(Place base, TypeId machine, Operand pointer);
  std::optional<Place> container(const Place& base, TypeId record);
  std::optional<Place> other_name(Operand pointer, TypeId machine);
  std::optional<Place> other_union_member(Operand pointer, TypeId machine);
  Place fitted(Place at, Operand pointer, TypeId machine);
  [[nodiscard]] bool fits(TypeId source, TypeId machine);

  [[nodiscard]] TypeId target_of(TypeId pointer_type) const;
  Place pointee(AccessPathId pointer, TypeId pointer_type);
  Place root(PathStep step, ValueId value, std::string text, TypeId type);
  Place unknown(ValueId value) { return root(PathStep::Unknown, value, "?", {}); }
  Place global(Operand operand);
  std::string global_text(const Global& g) const;
  std::string call_text(std::span<const Operand> operands);
  std::string callee_text(std::span<const Operand> operands);
  [[nodiscard]] bool is_method(const Function& callee) const;
  [[nodiscard]] const ValueName* best_name(ValueId value, bool names_memory) const;
  [[nodiscard]] bool is_pointer(ValueId value) const;
  [[nodiscard]] bool is_phi_input_ready(ValueId phi, Operand input) const;
  std::string text_of(Operand value, int depth);
  std::string text_of_binary(const Instruction& binary, int depth);
  [[nodiscard]] std::string text_of_constant(Operand constant) const;
  [[nodiscard]] Wanted wanted(const Instruction& i, const AccessSite& site) const;
  [[nodiscard]] std::uint64_t pointer_bytes() const { return program_.layout.pointer_bits / 8; }

  const Program& program_;
  AccessPathTable& table_;
  TypeWalk walk_;
  StructIndex structs_;
  FunctionId current_;
  const Function* function_ = nullptr;
  std::vector<Place> places_;
  std::vector<State> states_;
};

}  // namespace heddle
