// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solver: questions about integers, answered by Z3. Nothing else of it is seen outside of this folder.
//
//   Solver s(10'000);
//   const Term x = s.variable("x");
//   s.ask({s.at_most(s.sum({{1, x}}, 3), s.number(0)), s.at_most(s.number(0), x)})   Unsat: x + 3 <= 0 <= x
//
// Integers have no width. A question that takes more than so many steps of the solver is Unknown: the same one on every
// machine, for time is not asked.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heddle::smt {

/// A number, or something that is true or false: of the solver that made it.
struct Term {
  std::uint32_t index = 0;
};
struct Formula {
  std::uint32_t index = 0;
};

enum class Answer : std::uint8_t { Sat, Unsat, Unknown };

class Solver {
 public:
  explicit Solver(std::uint32_t most_steps);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  Term variable(const std::string& name);  ///< equal names: one variable
  Term number(std::int64_t value);
  Term sum(std::span<const std::pair<std::int64_t, Term>> terms, std::int64_t constant);
  /// Its bits read without a sign, in 64 bits.
  Term without_sign(Term term);

  Formula at_most(Term left, Term right);
  Formula equal(Term left, Term right);
  Formula negation(Formula formula);
  Formula all(std::span<const Formula> formulas);
  Formula any(std::span<const Formula> formulas);

  /// From here on terms and formulas made before are not used any more.
  void forget();
  /// Whether all can hold at once.
  Answer ask(std::span<const Formula> formulas);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace heddle::smt
