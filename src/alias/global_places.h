// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GlobalPlaces: addresses that are the same place in a global variable in every execution.
//
//   int put(struct queue* q) { lock(&q->m); … }      put(&jobs) is its only call: &q->m is the byte 8 of `jobs`
//
// An address is followed through fixed distances, and through a parameter if every call of the function passes the same
// place; then nobody else may know the function, so its address must not be taken. Nothing is said of thread-local
// variables. Cost: a few rounds over the calls of the program, once.
#pragma once
#include <optional>
#include <vector>

#include "program/model/program.h"

namespace heddle::alias {

/// A number of bytes behind the beginning of a global variable.
struct GlobalPlace {
  GlobalId global;
  std::int64_t offset = 0;
  friend auto operator<=>(const GlobalPlace&, const GlobalPlace&) = default;
};

class GlobalPlaces {
 public:
  /// Whether code that is not seen may call functions that others can name.
  enum class Callers : std::uint8_t { MayBeUnseen, AreSeen };
  explicit GlobalPlaces(const Program& program, Callers callers = Callers::MayBeUnseen);

  /// What an address begins with, how far behind it lies, and whether every distance on the way is fixed.
  struct Base {
    Operand operand;
    std::int64_t offset = 0;
    bool is_exact = true;
  };
  [[nodiscard]] static Base base_of(const Function& function, Operand address);

  /// Nothing: it is no such address.
  [[nodiscard]] std::optional<GlobalPlace> place(FunctionId function, Operand address) const;
  /// The variable that the address lies in, at whatever distance; invalid: no such thing is known.
  [[nodiscard]] GlobalId global(FunctionId function, Operand address) const;

 private:
  enum class Passed : std::uint8_t { Nothing, Place, Various };
  struct Parameter {
    Passed passed = Passed::Nothing;
    GlobalPlace place = {};
  };
  [[nodiscard]] std::optional<GlobalPlace> place_of(FunctionId function, const Base& base) const;
  [[nodiscard]] bool look_at_calls(FunctionId caller);
  bool pass(Parameter& parameter, const std::optional<GlobalPlace>& place);

  const Program& program_;
  std::vector<std::vector<Parameter>> parameters_;  ///< of each function
};

}  // namespace heddle::alias
