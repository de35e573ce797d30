// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CallValues: what a call of a library function is given, and what it gives back. Models speak of arguments by number;
// an argument that is missing is not known.
#pragma once
#include <optional>
#include <vector>

#include "api/action.h"
#include "topdown/values/values.h"

namespace heddle::topdown {

class CallValues {
 public:
  explicit CallValues(const Values& values) : d(values.d), u(values.u), values_(values) {}

  [[nodiscard]] FormId argument(const Site& site, const State& s, int number) const;
  [[nodiscard]] std::vector<FormId> arguments(const Site& site, const State& s) const;
  [[nodiscard]] std::optional<std::int64_t> known_length(const Site& site, const State& s,
                                                         const api::Length& length) const;
  /// The functions with a body that a number may be the address of; `all_known`: it is nothing else.
  [[nodiscard]] std::vector<FunctionId> functions_in(InfoId info, bool& all_known) const;
  void return_status(const Site& site, State& s, api::Success success, bool succeeded) const;
  /// Surely null: nothing is there.
  [[nodiscard]] bool is_null(const State& s, FormId address) const;
  void return_range(const Site& site, State& s, api::Range range) const;
  void return_any(const Site& site, State& s) const;

  const Domain& d;
  Universe& u;

 private:
  const Values& values_;
};

}  // namespace heddle::topdown
