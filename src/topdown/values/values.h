// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values: what an operand is in a state, and how an instruction gets its result.
//
//   %3 = load ptr @p        result_symbol: the number that this load gives in this context, S
//   %4 = add i64 %3, 8      evaluate(%3) = S, so assign(S + 8)
//
// An operand is looked up in the environment of its context; constants and globals are forms by themselves. Whatever is
// not known evaluates to an opaque form, which claims nothing. A new result kills the symbol of the last time
// (Domain::define), because a symbol stands for one number.
#pragma once
#include "topdown/values/site.h"

namespace heddle::topdown {

class Values {
 public:
  explicit Values(const Domain& domain) : d(domain), u(domain.u) {}

  FormId evaluate(const Site& site, const State& s, Operand operand) const;
  void assign(const Site& site, State& s, FormId value) const;
  /// A new number of which `info` is known, under the name of the instruction's result.
  FormId defined(const Site& site, State& s, InfoId info) const;
  [[nodiscard]] SymbolId result_symbol(const Site& site) const;
  [[nodiscard]] unsigned bits_of(TypeId type) const;
  [[nodiscard]] unsigned operand_bits(const Site& site, Operand operand) const;
  [[nodiscard]] ThreadId thread_of(const Site& site) const { return u.threads.contexts[site.context].thread; }

  const Domain& d;
  Universe& u;

 private:
  [[nodiscard]] FormId or_null(ObjectId object) const;
  [[nodiscard]] FormId constant(const Constant& c) const;
};

}  // namespace heddle::topdown
