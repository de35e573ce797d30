// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/circuit/clauses.h"

#include <algorithm>

namespace heddle::judge::bmc {

smt::Literal Clauses::literal(Bit bit) {
  if (literals_.size() < circuit_.size()) literals_.resize(circuit_.size());
  open_.assign(1, bit.gate());
  while (!open_.empty()) {
    const std::uint32_t gate = open_.back();
    if (literals_[gate].number != 0) {
      open_.pop_back();
      continue;
    }
    const Gate& of = circuit_.gate(gate);
    const std::size_t before = open_.size();
    if (of.kind != Gate::Kind::Constant && of.kind != Gate::Kind::Input)
      for (const Bit in : {of.first, of.second, of.third})
        if (literals_[in.gate()].number == 0) open_.push_back(in.gate());
    if (open_.size() > before) continue;
    open_.pop_back();
    tell(gate);
  }
  const smt::Literal of = literals_[bit.gate()];
  return bit.is_negated() ? !of : of;
}

void Clauses::tell(std::uint32_t gate) {
  const Gate& of = circuit_.gate(gate);
  const smt::Literal out = literals_[gate] = sat_.fresh();
  const auto in = [&](Bit bit) { return bit.is_negated() ? !literals_[bit.gate()] : literals_[bit.gate()]; };
  switch (of.kind) {
    case Gate::Kind::Constant: sat_.add({!out}); break;
    case Gate::Kind::Input: break;
    case Gate::Kind::And: {
      const smt::Literal a = in(of.first), b = in(of.second);
      sat_.add({!out, a});
      sat_.add({!out, b});
      sat_.add({out, !a, !b});
      break;
    }
    case Gate::Kind::Xor: {
      const smt::Literal a = in(of.first), b = in(of.second);
      sat_.add({!out, a, b});
      sat_.add({!out, !a, !b});
      sat_.add({out, !a, b});
      sat_.add({out, a, !b});
      break;
    }
    case Gate::Kind::Choice: {
      const smt::Literal c = in(of.first), a = in(of.second), b = in(of.third);
      sat_.add({!c, !a, out});
      sat_.add({!c, a, !out});
      sat_.add({c, !b, out});
      sat_.add({c, b, !out});
      break;
    }
  }
}

void Clauses::require(std::span<const Bit> bits) {
  if (std::ranges::any_of(bits, &Bit::is_yes)) return;
  std::vector<smt::Literal> clause;
  for (const Bit bit : bits)
    if (!bit.is_no()) clause.push_back(literal(bit));
  sat_.add(clause);
}

/// Gates stand behind their inputs.
void Clauses::read_model() {
  values_.assign(circuit_.size(), 0);
  for (std::uint32_t gate = 0; gate < values_.size(); ++gate) {
    const Gate& of = circuit_.gate(gate);
    bool out = false;
    if (gate < literals_.size() && literals_[gate].number != 0)
      out = sat_.value(literals_[gate]);
    else if (of.kind == Gate::Kind::And)
      out = value(of.first) && value(of.second);
    else if (of.kind == Gate::Kind::Xor)
      out = value(of.first) != value(of.second);
    else if (of.kind == Gate::Kind::Choice)
      out = value(of.first) ? value(of.second) : value(of.third);
    values_[gate] = out ? 1 : 0;
  }
}

}  // namespace heddle::judge::bmc
