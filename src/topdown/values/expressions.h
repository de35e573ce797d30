// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions: what the instructions compute that neither read nor write memory.
//
//   %i = add i32 %n, 1      the form n + 1: linear forms stay linear
//   %a = gep %p, %i * 4     p + 4·i
//   %b = and i32 %n, 7      not linear: a symbol of its own, named `n and 7`, known to lie in [0, 7]
//
// A named expression is pure: computing it again gives the same number, so it has the same name, and a comparison that
// is assumed later reaches its operands. It is sound because every step either keeps the exact form, modulo 2^width, or
// falls back to an interval that contains every result; what mixes addresses in ways that are not linear may point
// anywhere into the objects that went in.
#pragma once
#include "topdown/values/values.h"

namespace heddle::topdown {

class Expressions {
 public:
  explicit Expressions(const Values& values) : d(values.d), u(values.u), values_(values) {}

  FormId binary(const Site& site, State& s) const;
  FormId compare(const Site& site, State& s) const;
  FormId cast(const Site& site, State& s) const;
  FormId gep(const Site& site, State& s) const;
  FormId select(const Site& site, State& s) const;

 private:
  /// What names an expression, as Symbol has it.
  struct Named {
    SymbolKind kind = SymbolKind::Binary;
    std::uint8_t detail = 0;
    FormId a, b;
    unsigned bits = 0;
    std::uint32_t c = 0;
  };
  FormId expression(const Site& site, State& s, const Named& named, InfoId info) const;
  FormId linear(BinaryOp op, FormId a, FormId b, unsigned bits) const;
  [[nodiscard]] bool keeps_steps(const State& s, FormId form, unsigned bits) const;
  FormId negation(const Site& site, State& s, FormId a) const;
  FormId extension(const Site& site, State& s, FormId a) const;
  FormId blurred_gep(const Site& site, State& s) const;
  void keep_in_range(State& s, FormId index, std::int64_t stride) const;

  const Domain& d;
  Universe& u;
  const Values& values_;
};

}  // namespace heddle::topdown
