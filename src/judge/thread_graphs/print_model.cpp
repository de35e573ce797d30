// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_graphs/print_model.h"

namespace heddle::judge::transaction {

namespace {

std::string name_of(const Model& model, VariableIndex variable) {
  if (model.is_shared(variable)) return model.shared[variable].name;
  return "own" + std::to_string(variable < first_local ? variable - model.shared_count() : variable - first_local);
}

std::string text_of(const Model& model, const LinearForm& form) {
  std::string out;
  for (const numeric::LinearTerm& term : form.terms) {
    if (!out.empty()) out += " + ";
    if (term.factor != 1) out += std::to_string(term.factor) + "·";
    out += name_of(model, term.variable);
  }
  if (out.empty()) return std::to_string(form.constant);
  return form.constant == 0 ? out : out + " + " + std::to_string(form.constant);
}

const char* sign_of(Predicate predicate) {
  switch (predicate) {
    case Predicate::Eq: return " = ";
    case Predicate::Ne: return " != ";
    case Predicate::Slt: return " < ";
    case Predicate::Sle: return " <= ";
    case Predicate::Sgt: return " > ";
    case Predicate::Sge: return " >= ";
    case Predicate::Ult: return " <u ";
    case Predicate::Ule: return " <=u ";
    case Predicate::Ugt: return " >u ";
    case Predicate::Uge: return " >=u ";
    default: return " ? ";
  }
}

std::string text_of(const Model& model, const Act& act) {
  if (const Assign* assign = std::get_if<Assign>(&act))
    return name_of(model, assign->target) + " := " + text_of(model, assign->form);
  if (const Forget* forget = std::get_if<Forget>(&act)) return name_of(model, forget->target) + " := ?";
  if (const Guard* guard = std::get_if<Guard>(&act))
    return "[" + text_of(model, guard->left) + sign_of(guard->predicate) + text_of(model, guard->right) + "]";
  if (const Take* take = std::get_if<Take>(&act))
    return (take->is_shared ? "take for reading " : "take ") + model.locks[take->lock];
  if (const Give* give = std::get_if<Give>(&act)) return "give " + model.locks[give->lock];
  if (const Start* start = std::get_if<Start>(&act)) return "start " + model.threads[start->thread].name;
  if (const Join* join = std::get_if<Join>(&act)) return "join " + model.threads[join->thread].name;
  const Visit& visit = std::get<Visit>(act);
  std::string out =
      "at " + std::to_string(visit.place.function.index()) + ":" + std::to_string(visit.place.instruction);
  if (visit.address) out += " (" + std::to_string(visit.bytes) + " bytes from " + text_of(model, *visit.address) + ")";
  return out;
}

}  // namespace

std::string text_of(const Model& model) {
  std::string out;
  for (const SharedVariable& variable : model.shared)
    out += variable.name + " = " + (variable.initial ? std::to_string(*variable.initial) : "?") + "\n";
  for (const Thread& thread : model.threads) {
    out += "thread " + thread.name + "\n";
    for (PointIndex p = 0; p < thread.points.size(); ++p)
      for (const Edge& edge : thread.points[p].edges) {
        out += "  " + std::to_string(p) + (thread.points[p].is_loop_head ? "*" : "") + " -> " + std::to_string(edge.to);
        for (std::size_t k = 0; k < edge.acts.size(); ++k) out += (k == 0 ? ": " : "; ") + text_of(model, edge.acts[k]);
        out += "\n";
      }
  }
  return out;
}

}  // namespace heddle::judge::transaction
