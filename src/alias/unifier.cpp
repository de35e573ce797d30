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
      Code moved = std::move(old->second);
      code_.erase(old);
      absorb({kept, 0}, std::move(moved));
    }
}

/// A function and a call belong to one class only, so nothing comes twice. What is joined already stays joined: then one unification
/// of the two signatures does it for all. Unifying goes on merging, so the class is looked up each time.
void Unifier::absorb(Place into, Code moved) {
  const auto code = [&]() -> Code& { return code_[facts_.classes_.find(into).cls.index()]; };
  if (code().functions.size() + code().calls < moved.functions.size() + moved.calls) std::swap(code(), moved);
  for (const FunctionId function : moved.special) {
    for (const std::uint32_t call : all_calls(code())) connect(callbacks_[call], function);
  }
  for (const FunctionId function : std::vector(code().special))
    for (const std::uint32_t call : all_calls(moved)) connect(callbacks_[call], function);
  for (const std::uint32_t callback : moved.callbacks)
    for (const FunctionId function : std::vector(code().functions)) connect(callbacks_[callback], function);
  for (const std::uint32_t callback : std::vector(code().callbacks))
    for (const FunctionId function : moved.functions) connect(callbacks_[callback], function);
  for (auto& [count, theirs] : moved.signatures) {
    if (theirs.is_joined) {
      if (!code().signatures[count].is_joined) join_all(into, count, code().signatures[count]);
      code().signatures[count].is_joined = true;
      for (std::size_t k = 0; k <= count; ++k)
        unify(k == count ? theirs.result : theirs.parameters[k],
              signature_place(facts_.classes_.find(into).cls, count, k));
    } else if (code().signatures[count].is_joined) {
      join_all(into, count, theirs);
    }
    Signature& ours = code().signatures[count];
    ours.functions.insert(ours.functions.end(), theirs.functions.begin(), theirs.functions.end());
    ours.calls.insert(ours.calls.end(), theirs.calls.begin(), theirs.calls.end());
    if (!ours.is_joined) join(facts_.classes_.find(into).cls, count);
  }
  Code& all = code();
  all.functions.insert(all.functions.end(), moved.functions.begin(), moved.functions.end());
  all.special.insert(all.special.end(), moved.special.begin(), moved.special.end());
  all.callbacks.insert(all.callbacks.end(), moved.callbacks.begin(), moved.callbacks.end());
  all.calls += moved.calls;
}

std::vector<std::uint32_t> Unifier::all_calls(const Code& code) {
  std::vector<std::uint32_t> calls;
  for (const auto& [count, signature] : code.signatures)
    calls.insert(calls.end(), signature.calls.begin(), signature.calls.end());
  return calls;
}

void Unifier::join_all(Place into, std::size_t parameters, const Signature& signature) {
  const std::vector<FunctionId> functions = signature.functions;
  const std::vector<std::uint32_t> calls = signature.calls;
  for (const FunctionId function : functions) join_function(facts_.classes_.find(into).cls, parameters, function);
  for (const std::uint32_t call : calls) join_call(facts_.classes_.find(into).cls, parameters, call);
}

/// Parameter `index` of the signature; the result behind the last one.
Place Unifier::signature_place(ClassId cls, std::size_t parameters, std::size_t index) {
  Signature& signature = code_[cls.index()].signatures[parameters];
  if (signature.parameters.size() < parameters) signature.parameters.resize(parameters);
  Place& place = index == parameters ? signature.result : signature.parameters[index];
  if (!place.valid()) place = fresh();
  return place;
}

void Unifier::join_function(ClassId cls, std::size_t parameters, FunctionId function) {
  for (std::size_t i = 0; i < parameters; ++i)
    unify(place(function, Operand::value(ValueId(i))),
          signature_place(facts_.classes_.find({cls, 0}).cls, parameters, i));
  if (!returns_[function.index()].valid()) returns_[function.index()] = fresh();
  unify(returns_[function.index()], signature_place(facts_.classes_.find({cls, 0}).cls, parameters, parameters));
}

void Unifier::join_call(ClassId cls, std::size_t parameters, std::uint32_t number) {
  const Callback call = callbacks_[number];  // joining may add more of them
  for (std::size_t i = 0; i < parameters; ++i)
    if (call.arguments[i].valid())
      unify(call.arguments[i], signature_place(facts_.classes_.find({cls, 0}).cls, parameters, i));
  if (call.result.valid())
    unify(call.result, signature_place(facts_.classes_.find({cls, 0}).cls, parameters, parameters));
}

/// Joins what the signature has, as soon as it has both sides.
void Unifier::join(ClassId cls, std::size_t parameters) {
  Signature& signature = code_[facts_.classes_.find({cls, 0}).cls.index()].signatures[parameters];
  if (signature.functions.empty() || signature.calls.empty()) return;
  signature.is_joined = true;
  for (std::size_t k = 0; k <= parameters; ++k) signature_place(facts_.classes_.find({cls, 0}).cls, parameters, k);
  join_all({cls, 0}, parameters, code_[facts_.classes_.find({cls, 0}).cls.index()].signatures[parameters]);
}

void Unifier::add_function(ClassId cls, FunctionId function) {
  cls = facts_.classes_.find({cls, 0}).cls;
  Code& code = code_[cls.index()];
  code.functions.push_back(function);
  const Function& callee = program_.functions[function];
  const std::vector<std::uint32_t> callbacks = code.callbacks;
  if (!callee.has_body() || callee.is_vararg) {
    code.special.push_back(function);
    for (const std::uint32_t call : all_calls(code)) connect(callbacks_[call], function);
  } else {
    const std::size_t parameters = callee.parameters.size();
    Signature& signature = code.signatures[parameters];
    signature.functions.push_back(function);
    if (signature.is_joined)
      join_function(cls, parameters, function);
    else
      join(cls, parameters);
  }
  for (const std::uint32_t callback : callbacks) connect(callbacks_[callback], function);
}

void Unifier::add_call(ClassId cls, std::uint32_t number) {
  cls = facts_.classes_.find({cls, 0}).cls;
  Code& code = code_[cls.index()];
  if (!callbacks_[number].is_exact) {
    code.callbacks.push_back(number);
    const std::vector<FunctionId> functions = code.functions;
    for (const FunctionId function : functions) connect(callbacks_[number], function);
    return;
  }
  const std::vector<FunctionId> special = code.special;
  const std::size_t parameters = callbacks_[number].arguments.size();
  ++code.calls;
  Signature& signature = code.signatures[parameters];
  signature.calls.push_back(number);
  if (signature.is_joined)
    join_call(cls, parameters, number);
  else
    join(cls, parameters);
  for (const FunctionId function : special) connect(callbacks_[number], function);
}

void Unifier::call_through(Place callee, Callback callback) {
  if (!callee.valid()) return;
  const auto number = static_cast<std::uint32_t>(callbacks_.size());
  callback.callee = callee;
  callbacks_.push_back(std::move(callback));
  add_call(facts_.classes_.find(callee).cls, number);
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
  // Calls through a pointer share the functions of their class; some have others of their own.
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> shared;
  std::map<CallSite, std::uint32_t> lists;
  const auto keep = [&](std::vector<FunctionId> functions) {
    facts_.target_lists_.push_back(std::move(functions));
    return static_cast<std::uint32_t>(facts_.target_lists_.size() - 1);
  };
  for (const Callback& call : callbacks_) {
    if (!call.is_exact || !call.callee.valid()) continue;
    const ClassId cls = facts_.classes_.find(call.callee).cls;
    const std::pair name{cls.index(), call.arguments.size()};
    auto known = shared.find(name);
    if (known == shared.end()) {
      std::vector<FunctionId> functions = code_[cls.index()].signatures[call.arguments.size()].functions;
      std::ranges::sort(functions);
      known = shared.emplace(name, keep(std::move(functions))).first;
    }
    lists[call.site] = known->second;
  }
  for (auto& [site, functions] : targets_) {
    if (const auto list = lists.find(site); list != lists.end()) {
      std::vector<FunctionId> all;
      std::ranges::set_union(facts_.target_lists_[list->second], functions, std::back_inserter(all));
      functions = std::move(all);
    }
    lists[site] = keep(std::move(functions));
  }
  for (const auto& [site, list] : lists) facts_.calls_.push_back({site.caller, site.instruction, list});
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
  return target_lists_[at->functions];
}

}  // namespace heddle::alias
