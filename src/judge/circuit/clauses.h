// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clauses: the gates of a circuit for a solver (Tseitin), as far as they are asked for.
#pragma once
#include <initializer_list>
#include <span>
#include <vector>

#include "judge/circuit/circuit.h"
#include "smt/sat.h"

namespace heddle::judge::bmc {

class Clauses {
 public:
  Clauses(const Circuit& circuit, smt::Sat& sat) : circuit_(circuit), sat_(sat) {}

  smt::Literal literal(Bit bit);
  /// One of them holds; constants are left out.
  void require(std::initializer_list<Bit> bits) { require(std::span(bits.begin(), bits.size())); }
  void require(std::span<const Bit> bits);
  /// Keeps the model that the solver has just found.
  void read_model();
  /// In that model, whether or not the solver was told of the bit: inputs that nothing depends on are false.
  [[nodiscard]] bool value(Bit bit) const { return (values_[bit.gate()] != 0) != bit.is_negated(); }

 private:
  void tell(std::uint32_t gate);

  const Circuit& circuit_;
  smt::Sat& sat_;
  std::vector<smt::Literal> literals_;  ///< of gates; 0: not asked for yet
  std::vector<std::uint32_t> open_;
  std::vector<std::uint8_t> values_;  ///< of gates
};

}  // namespace heddle::judge::bmc
