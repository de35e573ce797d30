// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/circuit/circuit.h"

#include <utility>

namespace heddle::judge::bmc {

std::size_t Circuit::Hash::operator()(const Gate& gate) const {
  std::uint64_t mixed = static_cast<std::uint64_t>(gate.kind);
  for (const Bit bit : {gate.first, gate.second, gate.third}) {
    mixed = (mixed ^ bit.code()) * 0x9e3779b97f4a7c15ULL;
    mixed ^= mixed >> 29U;
  }
  return mixed;
}

Bit Circuit::input() {
  gates_.push_back({Gate::Kind::Input, {}, {}, {}});
  return {static_cast<std::uint32_t>(gates_.size() - 1), false};
}

Bit Circuit::made(const Gate& gate) {
  const auto [known, is_new] = known_.try_emplace(gate, static_cast<std::uint32_t>(gates_.size()));
  if (is_new) gates_.push_back(gate);
  return {known->second, false};
}

Bit Circuit::both(Bit a, Bit b) {
  if (a.code() > b.code()) std::swap(a, b);
  if (a.is_no() || a == !b) return Bit::no();
  if (a.is_yes() || a == b) return b;
  return made({Gate::Kind::And, a, b, {}});
}

/// Where two ways meet that parted at a condition: (x & c) | (x & !c) is x.
std::optional<Bit> Circuit::joined(Bit a, Bit b) const {
  const Gate &x = gates_[a.gate()], &y = gates_[b.gate()];
  if (a.is_negated() || b.is_negated() || x.kind != Gate::Kind::And || y.kind != Gate::Kind::And) return std::nullopt;
  for (const bool i : {false, true})
    for (const bool k : {false, true})
      if ((i ? x.first : x.second) == (k ? y.first : y.second) && (i ? x.second : x.first) == !(k ? y.second : y.first))
        return i ? x.first : x.second;
  return std::nullopt;
}

Bit Circuit::either(Bit a, Bit b) {
  if (const std::optional<Bit> one = joined(a, b)) return *one;
  return !both(!a, !b);
}

Bit Circuit::differ(Bit a, Bit b) {
  // Negations go outside: x ^ !y is !(x ^ y).
  const bool is_negated = a.is_negated() != b.is_negated();
  a = {a.gate(), false};
  b = {b.gate(), false};
  if (a == b) return Bit::of(is_negated);
  if (a.gate() > b.gate()) std::swap(a, b);
  const Bit out = a.is_constant() ? b : made({Gate::Kind::Xor, a, b, {}});
  return is_negated ? !out : out;
}

Bit Circuit::choose(Bit condition, Bit if_true, Bit if_false) {
  if (condition.is_yes() || if_true == if_false) return if_true;
  if (condition.is_no()) return if_false;
  if (condition.is_negated()) {
    condition = !condition;
    std::swap(if_true, if_false);
  }
  if (if_true.is_yes() || if_true == condition) return either(condition, if_false);
  if (if_true.is_no() || if_true == !condition) return both(!condition, if_false);
  if (if_false.is_no() || if_false == condition) return both(condition, if_true);
  if (if_false.is_yes() || if_false == !condition) return either(!condition, if_true);
  if (if_true == !if_false) return differ(condition, if_false);
  if (!if_true.is_negated()) return made({Gate::Kind::Choice, condition, if_true, if_false});
  return !made({Gate::Kind::Choice, condition, !if_true, !if_false});
}

}  // namespace heddle::judge::bmc
