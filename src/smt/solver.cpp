// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "smt/solver.h"

#include <z3++.h>

namespace heddle::smt {

struct Solver::Inside {
  z3::context context;
  z3::solver solver{context, "QF_LIA"};
  std::vector<z3::expr> terms, formulas;

  Term add(const z3::expr& e) {
    terms.push_back(e);
    return {static_cast<std::uint32_t>(terms.size() - 1)};
  }
  Formula add_formula(const z3::expr& e) {
    formulas.push_back(e);
    return {static_cast<std::uint32_t>(formulas.size() - 1)};
  }
  z3::expr_vector listed(std::span<const Formula> which) {
    z3::expr_vector out(context);
    for (const Formula f : which) out.push_back(formulas[f.index]);
    return out;
  }
};

Solver::Solver(std::uint32_t most_steps) : inside_(std::make_unique<Inside>()) {
  z3::params params(inside_->context);
  params.set("rlimit", most_steps);
  params.set("random_seed", 0U);
  inside_->solver.set(params);
}

Solver::~Solver() = default;

Term Solver::variable(const std::string& name) { return inside_->add(inside_->context.int_const(name.c_str())); }

Term Solver::number(std::int64_t value) { return inside_->add(inside_->context.int_val(value)); }

Term Solver::sum(std::span<const std::pair<std::int64_t, Term>> terms, std::int64_t constant) {
  z3::expr out = inside_->context.int_val(constant);
  for (const auto& [factor, term] : terms) out = out + inside_->context.int_val(factor) * inside_->terms[term.index];
  return inside_->add(out);
}

Term Solver::without_sign(Term term) {
  const z3::expr& e = inside_->terms[term.index];
  return inside_->add(z3::ite(e < 0, e + inside_->context.int_val("18446744073709551616"), e));
}

Formula Solver::at_most(Term left, Term right) {
  return inside_->add_formula(inside_->terms[left.index] <= inside_->terms[right.index]);
}

Formula Solver::equal(Term left, Term right) {
  return inside_->add_formula(inside_->terms[left.index] == inside_->terms[right.index]);
}

Formula Solver::negation(Formula formula) { return inside_->add_formula(!inside_->formulas[formula.index]); }

Formula Solver::all(std::span<const Formula> formulas) {
  return inside_->add_formula(z3::mk_and(inside_->listed(formulas)));
}

Formula Solver::any(std::span<const Formula> formulas) {
  return inside_->add_formula(z3::mk_or(inside_->listed(formulas)));
}

void Solver::forget() {
  inside_->terms.clear();
  inside_->formulas.clear();
}

Answer Solver::ask(std::span<const Formula> formulas) {
  try {
    z3::expr_vector assumptions = inside_->listed(formulas);
    inside_->solver.push();
    for (const z3::expr& e : assumptions) inside_->solver.add(e);
    const z3::check_result result = inside_->solver.check();
    inside_->solver.pop();
    return result == z3::unsat ? Answer::Unsat : result == z3::sat ? Answer::Sat : Answer::Unknown;
  } catch (const z3::exception&) {
    return Answer::Unknown;
  }
}

}  // namespace heddle::smt
