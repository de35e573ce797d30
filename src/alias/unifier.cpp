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
  for (const Function& function : program_.functions)
    model_of_.push_back(function.has_body() ? nullptr : models_.find(function.name));
  if (options_.allocators_apart) facts_.allocators_ = find_allocators(program_, model_of_);
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
        add_function(Place(place), operand.as_function());
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

void Unifier::copy(Place to, Place from) {
  facts_.classes_.copy(to, from);
  settle();
}

/// Classes that became one bring their functions and their calls together. Doing so merges more classes; those wait for
/// their turn here.
void Unifier::settle() {
  if (is_settling_) return;
  is_settling_ = true;
  for (auto merges = facts_.classes_.take_merges(); !merges.empty(); merges = facts_.classes_.take_merges())
    for (const auto& [gone, kept] : merges) {
      const auto old = code_.find(gone.index());
      if (old == code_.end()) continue;
      Code moved = std::move(old->second);
      code_.erase(old);
      absorb({kept, 0}, std::move(moved));
    }
  is_settling_ = false;
}

Unifier::Code& Unifier::code_of(Place cls) { return code_[facts_.classes_.find(cls).cls.index()]; }

namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

/// A function and a call belong to one class only, so nothing comes twice. First everything has its place, then the
/// pairs of old and new are connected: a class that is merged away meanwhile takes all of it along.
void Unifier::absorb(Place into, Code moved) {
  if (Code& code = code_of(into); code.functions.size() + code.calls < moved.functions.size() + moved.calls)
    std::swap(code, moved);
  Code& code = code_of(into);
  const std::vector<FunctionId> functions = code.functions, special = code.special;
  const std::vector<std::uint32_t> callbacks = code.callbacks;
  const std::vector<std::uint32_t> calls = moved.special.empty() ? std::vector<std::uint32_t>{} : all_calls(code);
  append(code.functions, moved.functions);
  append(code.special, moved.special);
  append(code.callbacks, moved.callbacks);
  code.calls += moved.calls;
  for (auto& [parameters, theirs] : moved.signatures) absorb_signature(into, parameters, theirs);
  connect_all(calls, moved.special);
  connect_all(all_calls(moved), special);
  connect_all(moved.callbacks, functions);
  connect_all(callbacks, moved.functions);
}

/// What is joined already stays joined: then one unification of the two signatures does it for all.
void Unifier::absorb_signature(Place into, std::size_t parameters, const Signature& theirs) {
  Signature& ours = code_of(into).signatures[parameters];
  if (!ours.is_joined && !theirs.is_joined) {
    append(ours.functions, theirs.functions);
    append(ours.calls, theirs.calls);
    join_if_both(into, parameters);
    return;
  }
  if (!ours.is_joined) join(ours, parameters);
  const std::vector<Place> places = ours.places;
  append(ours.functions, theirs.functions);
  append(ours.calls, theirs.calls);
  if (!theirs.is_joined) return join_all(places, theirs.functions, theirs.calls);
  for (std::size_t k = 0; k < places.size(); ++k) unify(theirs.places[k], places[k]);
}

void Unifier::connect_all(const std::vector<std::uint32_t>& calls, const std::vector<FunctionId>& functions) {
  for (const FunctionId function : functions)
    for (const std::uint32_t call : calls) connect(callbacks_[call], function);
}

std::vector<std::uint32_t> Unifier::all_calls(const Code& code) {
  std::vector<std::uint32_t> calls;
  for (const auto& [count, signature] : code.signatures) append(calls, signature.calls);
  return calls;
}

void Unifier::join_if_both(Place cls, std::size_t parameters) {
  if (Signature& signature = code_of(cls).signatures[parameters];
      !signature.is_joined && !signature.functions.empty() && !signature.calls.empty())
    join(signature, parameters);
}

/// Gives the signature places of its own and makes those of its functions and calls the same.
void Unifier::join(Signature& signature, std::size_t parameters) {
  signature.is_joined = true;
  for (std::size_t k = 0; k <= parameters; ++k) signature.places.push_back(fresh());
  const Signature now = signature;  // its class may be merged away
  join_all(now.places, now.functions, now.calls);
}

void Unifier::join_all(const std::vector<Place>& places, const std::vector<FunctionId>& functions,
                       const std::vector<std::uint32_t>& calls) {
  for (const FunctionId function : functions) join_function(places, function);
  for (const std::uint32_t call : calls) join_call(places, call);
}

void Unifier::join_function(const std::vector<Place>& places, FunctionId function) {
  for (std::size_t i = 0; i + 1 < places.size(); ++i) unify(place(function, Operand::value(ValueId(i))), places[i]);
  if (!returns_[function.index()].valid()) returns_[function.index()] = fresh();
  unify(returns_[function.index()], places.back());
}

void Unifier::join_call(const std::vector<Place>& places, std::uint32_t number) {
  const Callback call = callbacks_[number];  // joining may add more of them
  for (std::size_t i = 0; i + 1 < places.size(); ++i)
    if (call.arguments[i].valid()) unify(call.arguments[i], places[i]);
  if (call.result.valid()) unify(call.result, places.back());
}

void Unifier::add_function(Place cls, FunctionId function) {
  Code& code = code_of(cls);
  code.functions.push_back(function);
  const Function& callee = program_.functions[function];
  const std::vector<std::uint32_t> callbacks = code.callbacks;
  if (!callee.has_body() || callee.is_vararg) {
    code.special.push_back(function);
    connect_all(all_calls(code), {function});
  } else {
    add_to_signature(cls, callee.parameters.size(), {function}, {});
  }
  connect_all(callbacks, {function});
}

void Unifier::add_call(Place cls, std::uint32_t number) {
  Code& code = code_of(cls);
  if (!callbacks_[number].is_exact) {
    code.callbacks.push_back(number);
    return connect_all({number}, std::vector(code.functions));
  }
  const std::vector<FunctionId> special = code.special;
  ++code.calls;
  add_to_signature(cls, callbacks_[number].arguments.size(), {}, {number});
  connect_all({number}, special);
}

void Unifier::add_to_signature(Place cls, std::size_t parameters, const std::vector<FunctionId>& functions,
                               const std::vector<std::uint32_t>& calls) {
  Signature& signature = code_of(cls).signatures[parameters];
  append(signature.functions, functions);
  append(signature.calls, calls);
  if (signature.is_joined) return join_all(std::vector(signature.places), functions, calls);
  join_if_both(cls, parameters);
}

void Unifier::call_through(Place callee, Callback callback) {
  if (!callee.valid()) return;
  const auto number = static_cast<std::uint32_t>(callbacks_.size());
  callback.callee = callee;
  callbacks_.push_back(std::move(callback));
  add_call(callee, number);
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
    if (const api::Model* model = model_of_[target.index()])
      apply_model(call.site, *model, call.arguments, call.result);
    return;
  }
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (!call.arguments[i].valid()) continue;
    if (i < function.parameters.size()) {
      pass(call, target, i);
    } else if (function.is_vararg) {
      Place& rest = variadic_[target.index()];
      if (!rest.valid()) rest = fresh();
      unify(rest, call.arguments[i]);
    }
  }
  give_back(call, target);
}

void Unifier::pass(const Callback& call, FunctionId target, std::size_t parameter) {
  const bool is_direct = call.is_exact && !call.callee.valid();
  const Place formal = place(target, Operand::value(ValueId(parameter)));
  if (!is_direct || !facts_.allocator(target).is_passive(parameter)) return unify(formal, call.arguments[parameter]);
  Passed& passed = passed_[facts_.first_value_[target.index()] + parameter];
  const FunctionId id = call.site.caller;
  const Function& caller = program_.functions[id];
  const Operand given = caller.arguments_of(caller.instructions[call.site.instruction])[parameter];
  if (given.is_value() && caller.is_parameter(given.as_value()) && facts_.allocator(id).is_passive(given.index()))
    passed.parameters.push_back(facts_.first_value_[id.index()] + given.index());
  else
    passed.places.push_back(call.arguments[parameter]);
}

/// An allocator gives each call another object; what it put there is the same in all of them.
void Unifier::give_back(const Callback& call, FunctionId target) {
  Place& returned = returns_[target.index()];
  if (!returned.valid()) returned = fresh();
  const Place made = returned;
  const Allocator& allocator = facts_.allocator(target);
  const bool is_direct = call.is_exact && !call.callee.valid();
  if (!is_direct || !allocator.makes) return unify(made, call.result);
  if (!call.result.valid()) return;
  if (allocator.fills) copy(call.result, made);
  if (allocator.moved == api::Effect::none) return;
  const Place old = call.arguments[static_cast<std::size_t>(allocator.moved)];
  if (old.valid()) unify(call.result, old);
}

/// Everything that each passive parameter is given, also through others.
void Unifier::list_given() {
  for (const auto& [value, passed] : passed_) {
    std::vector<std::size_t> parameters{value};
    std::vector<Place> arguments, formals;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      formals.push_back(facts_.values_[parameters[i]]);
      const auto at = passed_.find(parameters[i]);
      if (at == passed_.end()) continue;
      arguments.insert(arguments.end(), at->second.places.begin(), at->second.places.end());
      for (const std::size_t next : at->second.parameters)
        if (std::ranges::find(parameters, next) == parameters.end()) parameters.push_back(next);
    }
    const auto first = static_cast<std::uint32_t>(facts_.given_.size());
    const std::uint32_t given = keep_given(std::move(arguments));
    facts_.passive_.push_back({value, first, given, keep_given(std::move(formals))});
  }
}

/// One of each object; how many there are.
std::uint32_t Unifier::keep_given(std::vector<Place> places) {
  for (Place& place : places) place = facts_.classes_.find(place);
  const auto object = [](Place place) { return place.object.index(); };
  std::ranges::sort(places, {}, object);
  places.erase(std::ranges::unique(places, {}, object).begin(), places.end());
  facts_.given_.insert(facts_.given_.end(), places.begin(), places.end());
  return static_cast<std::uint32_t>(places.size());
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
  for (const auto& [name, place] : hidden_) {
    facts_.hidden_names_.push_back(name);
    facts_.hidden_.push_back(place);
  }
  list_given();
  facts_.classes_.compact({&facts_.values_, &facts_.globals_, &facts_.functions_, &facts_.hidden_, &facts_.given_});
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

bool AliasFacts::may_overlap(Place a, std::uint64_t bytes_of_a, Place b, std::uint64_t bytes_of_b) const {
  if (!may_alias(a, b)) return false;
  a = classes_.find(a);
  b = classes_.find(b);
  if (a.cls != b.cls || bytes_of_a == 0 || bytes_of_b == 0) return true;
  const auto first = static_cast<std::int64_t>(bytes_of_a), second = static_cast<std::int64_t>(bytes_of_b);
  std::int64_t distance = std::int64_t{b.offset} - a.offset;
  const std::int64_t period = classes_.period(a.cls);
  if (period == 0) return distance < first && -distance < second;
  distance = (distance % period + period) % period;
  return distance < first || period - distance < second;
}

std::vector<std::pair<std::string, Place>> AliasFacts::hidden() const {
  std::vector<std::pair<std::string, Place>> out;
  for (std::size_t i = 0; i < hidden_.size(); ++i) out.emplace_back(hidden_names_[i], classes_.find(hidden_[i]));
  return out;
}

AliasFacts::GivenPlaces AliasFacts::given(FunctionId function, Operand operand) const {
  if (passive_.empty() || !operand.is_value()) return {};
  const std::size_t value = first_value_[function.index()] + operand.index();
  const auto at = std::ranges::lower_bound(passive_, value, {}, &Given::value);
  if (at == passive_.end() || at->value != value) return {};
  const auto all = std::span(given_).subspan(at->first);
  return {all.first(at->arguments), all.subspan(at->arguments, at->parameters)};
}

const Allocator& AliasFacts::allocator(FunctionId function) const {
  static const Allocator none;
  return function.index() < allocators_.size() ? allocators_[function.index()] : none;
}

std::span<const FunctionId> AliasFacts::targets(FunctionId caller, std::size_t instruction) const {
  const auto at = std::ranges::lower_bound(calls_, std::pair(caller, static_cast<std::uint32_t>(instruction)), {},
                                           [](const Targets& t) { return std::pair(t.caller, t.instruction); });
  if (at == calls_.end() || at->caller != caller || at->instruction != instruction) return {};
  return target_lists_[at->functions];
}

}  // namespace heddle::alias
