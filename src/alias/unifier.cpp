// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/unifier.h"

#include <algorithm>

namespace heddle::alias {

Unifier::Unifier(const Program& program, const api::ApiModels& models, const AliasOptions& options)
    : program_(program), models_(models), options_(options) {}

AliasFacts find_aliases(const Program& program, const api::ApiModels& models, const AliasOptions& options) {
  return Unifier(program, models, options).run();
}

AliasFacts Unifier::run() {
  lay_out();
  initialise_globals();
  for (std::size_t i = 0; i < program_.functions.size(); ++i) walk(FunctionId(i), program_.functions[FunctionId(i)]);
  return finish();
}

void Unifier::lay_out() {
  std::size_t values = 0;
  for (const Function& function : program_.functions) {
    facts_.first_value_.push_back(values);
    values += function.value_count();
  }
  facts_.values_.resize(values);
  facts_.globals_.resize(program_.globals.size());
  facts_.functions_.resize(program_.functions.size());
  returns_.resize(program_.functions.size());
  variadic_.resize(program_.functions.size());
  thread_values_ = fresh();
  thread_results_ = fresh();
  exceptions_ = fresh();
  outside_ = fresh();
}

Place Unifier::place(FunctionId function, Operand operand) {
  switch (operand.kind()) {
    case Operand::Kind::Value: {
      Place& place = facts_.values_[facts_.first_value_[function.index()] + operand.index()];
      if (!place.valid()) place = fresh();
      return place;
    }
    case Operand::Kind::Global: {
      Place& place = facts_.globals_[operand.index()];
      if (!place.valid()) place = fresh();
      return place;
    }
    case Operand::Kind::Function: {
      Place& place = facts_.functions_[operand.index()];
      if (!place.valid()) {
        place = fresh();
        add_function(place.cls, operand.as_function());
      }
      return place;
    }
    case Operand::Kind::Constant: {
      const Constant& constant = program_.constants[operand.as_constant()];
      Place all;
      for (const Operand element : constant.elements) {
        const Place one = place(function, element);
        if (all.valid()) unify(all, one);
        if (!all.valid()) all = one;
      }
      return all;
    }
    default: return {};
  }
}

Place Unifier::result(FunctionId function, std::size_t number) {
  return place(function, Operand::value(program_.functions[function].result_of(number)));
}

void Unifier::initialise_globals() {
  for (std::size_t i = 0; i < program_.globals.size(); ++i) {
    const Place global = place({}, Operand::global(GlobalId(i)));
    for (const Relocation& word : program_.globals[GlobalId(i)].relocations) {
      const Place target = facts_.classes_.at(place({}, word.target), word.addend);
      unify(content(facts_.classes_.at(global, static_cast<std::int64_t>(word.offset))), target);
    }
  }
}

/// Whether a value of this type may hold an address.
bool Unifier::carries(TypeId id) const {
  if (!id.valid()) return false;
  const Type& type = program_.types[id];
  switch (type.kind) {
    case TypeKind::Pointer: return true;
    case TypeKind::Int: return type.size_bits == program_.layout.pointer_bits;
    case TypeKind::Array:
    case TypeKind::Vector: return carries(type.element);
    case TypeKind::Struct: return std::ranges::any_of(type.fields, [&](const Field& f) { return carries(f.type); });
    default: return false;
  }
}

void Unifier::unify(Place a, Place b) {
  facts_.classes_.unify(a, b);
  settle();
}

/// Classes that became one bring their functions and their calls together.
void Unifier::settle() {
  for (auto merges = facts_.classes_.take_merges(); !merges.empty(); merges = facts_.classes_.take_merges())
    for (const auto& [gone, kept] : merges) {
      const auto old = code_.find(gone.index());
      if (old == code_.end()) continue;
      const Code moved = std::move(old->second);
      code_.erase(old);
      // Merging goes on while this loop runs, so `kept` may be gone by now as well.
      const ClassId now = facts_.classes_.find({kept, 0}).cls;
      for (const FunctionId function : moved.functions) add_function(now, function);
      for (const std::uint32_t callback : moved.callbacks) {
        const ClassId here = facts_.classes_.find({now, 0}).cls;
        code_[here.index()].callbacks.push_back(callback);
        const std::vector<FunctionId> functions = code_[here.index()].functions;
        for (const FunctionId function : functions) connect(callbacks_[callback], function);
      }
    }
}

void Unifier::add_function(ClassId cls, FunctionId function) {
  Code& code = code_[facts_.classes_.find({cls, 0}).cls.index()];
  if (std::ranges::find(code.functions, function) != code.functions.end()) return;
  code.functions.push_back(function);
  const std::vector<std::uint32_t> callbacks = code.callbacks;
  for (const std::uint32_t callback : callbacks) connect(callbacks_[callback], function);
}

void Unifier::call_through(Place callee, Callback callback) {
  if (!callee.valid()) return;
  const auto number = static_cast<std::uint32_t>(callbacks_.size());
  callbacks_.push_back(std::move(callback));
  Code& code = code_[facts_.classes_.find(callee).cls.index()];
  code.callbacks.push_back(number);
  const std::vector<FunctionId> functions = code.functions;
  for (const FunctionId function : functions) connect(callbacks_[number], function);
}

void Unifier::connect(const Callback& callback, FunctionId target) {
  const Function& function = program_.functions[target];
  // A call with another number of arguments is undefined: it does not mean this function.
  if (callback.is_exact && callback.arguments.size() != function.parameters.size() &&
      !(function.is_vararg && callback.arguments.size() > function.parameters.size()))
    return;
  const Callback call = callback;  // connecting may add more of them
  std::vector<FunctionId>& known = targets_[call.site];
  if (const auto at = std::ranges::lower_bound(known, target); at == known.end() || *at != target)
    known.insert(at, target);
  else if (call.is_exact)
    return;
  if (!function.has_body()) {
    if (const api::Model* model = models_.find(function.name))
      apply_model(call.site, *model, call.arguments, call.result);
    return;
  }
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (!call.arguments[i].valid()) continue;
    if (i < function.parameters.size()) {
      unify(place(target, Operand::value(ValueId(i))), call.arguments[i]);
    } else if (function.is_vararg) {
      Place& rest = variadic_[target.index()];
      if (!rest.valid()) rest = fresh();
      unify(rest, call.arguments[i]);
    }
  }
  Place& returned = returns_[target.index()];
  if (!returned.valid()) returned = fresh();
  unify(returned, call.result);
}

AliasFacts Unifier::finish() {
  for (auto& [site, functions] : targets_)
    facts_.calls_.push_back({site.caller, site.instruction, std::move(functions)});
  return std::move(facts_);
}

Place AliasFacts::place(FunctionId function, Operand operand) const {
  switch (operand.kind()) {
    case Operand::Kind::Value: return classes_.find(values_[first_value_[function.index()] + operand.index()]);
    case Operand::Kind::Global: return classes_.find(globals_[operand.index()]);
    case Operand::Kind::Function: return classes_.find(functions_[operand.index()]);
    default: return {};
  }
}

std::span<const FunctionId> AliasFacts::targets(FunctionId caller, std::size_t instruction) const {
  const auto at = std::ranges::lower_bound(calls_, std::pair(caller, static_cast<std::uint32_t>(instruction)), {},
                                           [](const Targets& t) { return std::pair(t.caller, t.instruction); });
  if (at == calls_.end() || at->caller != caller || at->instruction != instruction) return {};
  return at->functions;
}

}  // namespace heddle::alias
