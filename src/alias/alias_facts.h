// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AliasFacts: which pointers may lead to the same objects, and whom an indirect call may reach, for a whole Program.
// One walk over all instructions, unification only, no context but for allocators: it separates little by itself (a
// generic list glues everything that goes through it together), but what it separates stays separate, and it costs less
// than reading the program.
//
//   facts.place(f, operand)        where a pointer leads: a class of objects and an offset
//   facts.given(f, operand)        of a passive parameter (allocators.h): where its arguments lead, which is elsewhere
//   facts.may_alias(a, b)          false: never the same object
//   facts.targets(f, i)            the functions call i of f may reach, by id
//
// Assumptions with a switch (docs/assumptions.md): `pointer-arithmetic` (a pointer moved by a variable distance stays
// in its array; integers made from pointers come back unchanged or moved), `unknown-externals` (a function without body
// or model keeps no pointer), `inline-assembly` (assembly moves pointers between its operands, and follows none).
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alias/allocators.h"
#include "alias/memory_classes.h"
#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::alias {

struct AliasOptions {
  bool externals_keep_pointers =
      false;  ///< sound: what an unknown function was given, every unknown function may give back
  bool arithmetic_leaves_arrays = false;   ///< sound: a variable distance leads anywhere in the object
  bool assembly_follows_pointers = false;  ///< sound: what assembly gives may be whatever its operands lead to
  /// Each call of an allocator of the program makes an object of its own: for those who ask given() as well.
  bool allocators_apart = false;
};

class AliasFacts {
 public:
  /// Where the pointer `operand` of `function` leads; none if it never held a pointer.
  [[nodiscard]] Place place(FunctionId function, Operand operand) const;
  /// Where everything leads that a passive parameter may be: the arguments of direct calls, and the parameters that they
  /// went through, with which other calls unite what they pass. Empty for all other operands.
  struct GivenPlaces {
    std::span<const Place> arguments, parameters;
    [[nodiscard]] bool empty() const { return parameters.empty(); }
  };
  [[nodiscard]] GivenPlaces given(FunctionId function, Operand operand) const;
  /// What a function does as an allocator; nothing if allocators are as other functions.
  [[nodiscard]] const Allocator& allocator(FunctionId function) const;
  /// Where the pointer stored at a place leads.
  [[nodiscard]] Place content(Place place) const { return classes_.known_content(place); }
  /// Where the pointers stored anywhere in the objects of a class lead.
  [[nodiscard]] std::vector<Place> contents(Place place) const { return classes_.known_contents(place); }
  [[nodiscard]] bool may_alias(Place a, Place b) const {
    return a.valid() && b.valid() && classes_.find(a).object == classes_.find(b).object;
  }
  /// Whether so many bytes at one place and so many at another can be one; 0: nobody knows how many.
  [[nodiscard]] bool may_overlap(Place a, std::uint64_t bytes_of_a, Place b, std::uint64_t bytes_of_b) const;
  /// The place by the name that is the same for all that are one.
  [[nodiscard]] Place canonical(Place place) const { return classes_.find(place); }
  /// Of a direct call: its callee. Ascending.
  [[nodiscard]] std::span<const FunctionId> targets(FunctionId caller, std::size_t instruction) const;
  /// State inside of libraries that calls lead to: its name, and where it lies.
  [[nodiscard]] std::vector<std::pair<std::string, Place>> hidden() const;
  [[nodiscard]] std::size_t class_count() const { return classes_.size(); }
  [[nodiscard]] std::size_t object_count() const { return classes_.object_count(); }

 private:
  friend class Unifier;
  struct Targets {
    FunctionId caller;
    std::uint32_t instruction = 0;
    std::uint32_t functions = 0;  ///< in target_lists_: calls through one class share theirs
  };

  /// A passive parameter: its places, in given_.
  struct Given {
    std::size_t value = 0;  ///< in values_
    std::uint32_t first = 0, arguments = 0, parameters = 0;
  };

  mutable MemoryClasses classes_;         ///< looking up shortens its paths
  std::vector<Allocator> allocators_;     ///< by function; empty: none
  std::vector<Given> passive_;            ///< sorted by value
  std::vector<Place> given_;
  std::vector<std::size_t> first_value_;  ///< of each function, in values_
  std::vector<Place> values_;
  std::vector<Place> globals_, functions_;  ///< their addresses
  std::vector<std::string> hidden_names_;
  std::vector<Place> hidden_;   ///< in the order of the names
  std::vector<Targets> calls_;  ///< sorted by caller and instruction
  std::vector<std::vector<FunctionId>> target_lists_;
};

AliasFacts find_aliases(const Program& program, const api::ApiModels& models, const AliasOptions& options);

}  // namespace heddle::alias
