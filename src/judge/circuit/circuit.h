// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuit: Boolean functions as a graph of gates. Constants are folded and equal gates are one, so what a program does
// with known values costs nothing.
//
//   Circuit c;
//   const Bit x = c.input(), y = c.input();
//   c.both(x, !x)                   Bit::no()
//   c.both(x, y) == c.both(y, x)    true
//
// Nothing is told to a solver until somebody asks for the literal of a bit (clauses.h): then the gates that it needs
// become clauses, and no others.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle::judge::bmc {

/// A gate's output or its negation; a constant. Gate 0 is the constant.
class Bit {
 public:
  constexpr Bit() = default;
  constexpr Bit(std::uint32_t gate, bool is_negated) : code_((gate << 1U) | (is_negated ? 1U : 0U)) {}
  static constexpr Bit no() { return {}; }
  static constexpr Bit yes() { return {0, true}; }
  static constexpr Bit of(bool value) { return {0, value}; }

  [[nodiscard]] constexpr std::uint32_t gate() const { return code_ >> 1U; }
  [[nodiscard]] constexpr bool is_negated() const { return (code_ & 1U) != 0; }
  [[nodiscard]] constexpr bool is_constant() const { return gate() == 0; }
  [[nodiscard]] constexpr bool is_yes() const { return code_ == 1; }
  [[nodiscard]] constexpr bool is_no() const { return code_ == 0; }
  [[nodiscard]] constexpr std::uint32_t code() const { return code_; }
  friend constexpr Bit operator!(Bit bit) { return {bit.gate(), !bit.is_negated()}; }
  friend constexpr bool operator==(Bit, Bit) = default;

 private:
  std::uint32_t code_ = 0;
};

struct Gate {
  enum class Kind : std::uint8_t { Constant, Input, And, Xor, Choice };
  Kind kind = Kind::Constant;
  Bit first, second, third;  ///< Choice: first ? second : third
  friend bool operator==(const Gate&, const Gate&) = default;
};

class Circuit {
 public:
  Circuit() : gates_(1) {}

  Bit input();
  Bit both(Bit a, Bit b);
  Bit either(Bit a, Bit b);
  Bit differ(Bit a, Bit b);
  Bit same(Bit a, Bit b) { return !differ(a, b); }
  Bit choose(Bit condition, Bit if_true, Bit if_false);
  /// The condition in front of a branch whose two sides these are.
  [[nodiscard]] std::optional<Bit> joined(Bit a, Bit b) const;

  [[nodiscard]] const Gate& gate(std::uint32_t index) const { return gates_[index]; }
  [[nodiscard]] std::size_t size() const { return gates_.size(); }

 private:
  struct Hash {
    std::size_t operator()(const Gate& gate) const;
  };
  Bit made(const Gate& gate);

  std::vector<Gate> gates_;
  std::unordered_map<Gate, std::uint32_t, Hash> known_;  // only looked up, never walked over
};

}  // namespace heddle::judge::bmc
