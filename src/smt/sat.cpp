// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "smt/sat.h"

#include <algorithm>
#include <cadical.hpp>
#include <limits>

namespace heddle::smt {
namespace {

class StopTerminator final : public CaDiCaL::Terminator {
 public:
  explicit StopTerminator(Stop stop) : stop_(std::move(stop)) {}
  /// Asked very often: the clock is looked at now and then.
  bool terminate() override { return ++asked_ % 64 == 0 && stop_.is_asked(); }

 private:
  Stop stop_;
  std::uint64_t asked_ = 0;
};

constexpr int answer_sat = 10, answer_unsat = 20;  // of CaDiCaL

}  // namespace

struct Sat::Inside {
  explicit Inside(Stop stop) : terminator(std::move(stop)) { solver.connect_terminator(&terminator); }
  ~Inside() { solver.disconnect_terminator(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  StopTerminator terminator;
  CaDiCaL::Solver solver;
};

Sat::Sat(Stop stop) : inside_(std::make_unique<Inside>(std::move(stop))) {
  inside_->solver.set("quiet", 1);
  // Orders between accesses that nobody asks for are better left out.
  inside_->solver.set("phase", 0);
}

Sat::~Sat() = default;

Literal Sat::fresh() { return {++variables_}; }

void Sat::add(std::span<const Literal> clause) {
  for (const Literal literal : clause) inside_->solver.add(literal.number);
  inside_->solver.add(0);
  ++clauses_;
}

Answer Sat::solve(std::span<const Literal> assumptions, std::uint64_t most_conflicts) {
  for (const Literal literal : assumptions) inside_->solver.assume(literal.number);
  constexpr std::uint64_t most = std::numeric_limits<int>::max();
  inside_->solver.limit("conflicts", static_cast<int>(std::min(most_conflicts, most)));
  switch (inside_->solver.solve()) {
    case answer_sat: return Answer::Sat;
    case answer_unsat: return Answer::Unsat;
    default: return Answer::Unknown;
  }
}

bool Sat::value(Literal literal) const {
  const int value = inside_->solver.val(literal.number > 0 ? literal.number : -literal.number);
  return (value > 0) == (literal.number > 0);
}

}  // namespace heddle::smt
