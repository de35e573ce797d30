// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/locks/lock_term.h"

#include <algorithm>

namespace heddle::alias {

std::optional<LockTerm> LockTerm::of(Operand operand) {
  if (operand.is_value()) return value(operand.as_value());
  if (operand.is_global()) return global(operand.as_global());
  return std::nullopt;
}

LockTerm LockTerm::content() const {
  LockTerm out = *this;
  out.path.push_back(offset);
  out.offset = 0;
  return out;
}

LockTerm LockTerm::cell(std::size_t step) const {
  LockTerm out = *this;
  out.path.resize(step);
  out.offset = path[step];
  return out;
}

std::optional<LockTerm> LockTerm::behind(std::size_t steps, const LockTerm& base) const {
  LockTerm out = base;
  for (std::size_t i = steps; i < path.size(); ++i) {
    out.offset += path[i];
    out = out.content();
  }
  out.offset += offset;
  if (out.path.size() > deepest) return std::nullopt;
  return out;
}

std::optional<LockTerm> LockTerm::on(const LockTerm& base) const { return behind(0, base); }

std::string to_text(const Program& program, FunctionId function, const LockTerm& term) {
  std::string out;
  if (term.is_global()) {
    out = "&" + std::string(program.globals[GlobalId(term.index)].shown_name());
  } else {
    const Function& f = program.functions[function];
    const auto name = std::ranges::lower_bound(f.names, ValueId(term.index), {}, &ValueName::value);
    const bool is_named = name != f.names.end() && name->value.index() == term.index;
    out = is_named ? (name->names_memory ? "&" : "") + std::string(name->name) : "%" + std::to_string(term.index);
  }
  for (const std::int64_t step : term.path) out = "*(" + out + (step == 0 ? "" : " + " + std::to_string(step)) + ")";
  return term.offset == 0 ? out : out + " + " + std::to_string(term.offset);
}

}  // namespace heddle::alias
