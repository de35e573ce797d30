// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sat: clauses over Boolean variables, answered by CaDiCaL. Nothing else of it is seen outside of this folder.
//
//   Sat sat(Stop{});
//   const Literal a = sat.fresh(), b = sat.fresh();
//   sat.add({{a, b}});
//   sat.add({{!a, b}});
//   sat.solve({{!b}}, 1000)      Unsat
//   sat.solve({}, 1000)          Sat, and sat.value(b) is true
//
// A question that takes more than so many conflicts is Unknown: the same one on every machine. `stop` is the outer
// guard.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "base/stop.h"
#include "smt/solver.h"

namespace heddle::smt {

/// A variable or its negation; of the Sat that made it.
struct Literal {
  std::int32_t number = 0;
  friend Literal operator!(Literal literal) { return {-literal.number}; }
  friend bool operator==(Literal, Literal) = default;
};

class Sat {
 public:
  explicit Sat(Stop stop);
  ~Sat();
  Sat(const Sat&) = delete;
  Sat& operator=(const Sat&) = delete;

  Literal fresh();
  /// One of them holds.
  void add(std::span<const Literal> clause);
  void add(std::initializer_list<Literal> clause) { add(std::span(clause.begin(), clause.size())); }
  /// Whether all clauses and assumptions can hold at once.
  Answer solve(std::span<const Literal> assumptions, std::uint64_t most_conflicts);
  /// In the model that the last question found; true or false if nothing depends on it.
  [[nodiscard]] bool value(Literal literal) const;
  [[nodiscard]] std::uint64_t clauses() const { return clauses_; }

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
  std::int32_t variables_ = 0;
  std::uint64_t clauses_ = 0;
};

}  // namespace heddle::smt
