// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/calls.h"

#include "program/model/function_queries.h"
#include "program/model/inline_asm.h"
#include "topdown/actions/frame_ends.h"
#include "topdown/domain/lock_history.h"
#include "topdown/transfer/block_fixpoint.h"
#include "topdown/transfer/library_calls.h"

namespace heddle::topdown {

namespace {
constexpr std::uint32_t most_activations = 2;  ///< of one function on a call string
}  // namespace

bool Calls::is_recursive(ContextId context, FunctionId callee) {
  return activations_store_.find(activations(context), callee.index()).value_or(0) >= most_activations;
}

flow::MapId Calls::activations(ContextId context) {
  std::vector<ContextId> new_ones;
  for (ContextId c = context; c && (c.index() >= activations_.size() || activations_[c.index()] == 0);
       c = u.threads.contexts[c].caller)
    new_ones.push_back(c);
  if (activations_.size() < u.threads.contexts.size()) activations_.resize(u.threads.contexts.size());
  for (; !new_ones.empty(); new_ones.pop_back()) {
    const threads::Context& c = u.threads.contexts[new_ones.back()];
    const flow::MapId of_caller = c.caller ? activations_[c.caller.index()] : 0;
    const std::uint32_t before = activations_store_.find(of_caller, c.function.index()).value_or(0);
    activations_[new_ones.back().index()] = activations_store_.set(of_caller, c.function.index(), before + 1);
  }
  return activations_[context.index()];
}

std::vector<FunctionId> Calls::callees(const Site& site, const State& s, bool& unknown) {
  const Operand callee = site.operands()[0];
  if (callee.is_function()) return {callee.as_function()};
  const Info info = u.infos[d.info_of(s, values_.evaluate(site, s, callee), u.pointer_bits())];
  std::vector<FunctionId> out;
  unknown = info.any_address || (!info.addresses && !(info.number.is_empty() || info.number == Interval::constant(0)));
  if (info.addresses)
    for (const Target& t : u.points_to[info.addresses].targets) {
      const Object& o = u.objects[t.object];
      if (o.kind == ObjectKind::Function)
        out.push_back(FunctionId(o.a));
      else
        unknown = true;
    }
  return out;
}

void Calls::call(const Site& site, States& states, Exits& exits) {
  States out;
  for (const State& before : states) {
    budget_.step();
    State s = before;
    if (site.operands()[0].kind() == Operand::Kind::Asm) {
      call_asm(site, s);
      out.push_back(s);
      continue;
    }
    bool unknown = false;
    const std::vector<FunctionId> targets = callees(site, s, unknown);
    if (unknown) {
      recorder_.obstacle(site, "a call through a pointer whose targets are not known");
      State after = s;
      values_.assign(site, after, values_.defined(site, after, u.unknown(values_.bits_of(site.code().type))));
      out.push_back(after);
    }
    for (const FunctionId callee : targets) {
      if (u.program.functions[callee].has_body()) {
        const std::size_t first = out.size();
        call_defined(site, s, callee, call_.arguments(site, s), out, exits);
        for (std::size_t k = first; k < out.size(); ++k) end_temporaries(site, out[k]);
      } else {
        call_undefined(site, s, callee, out, exits);
      }
    }
  }
  disjuncts_.compact(out, site);
  states = std::move(out);
}

/// A parameter that is passed as a copy in the caller's frame, or a temporary, ends with the call that gets its
/// address.
void Calls::end_temporaries(const Site& site, State& s) {
  if (!s.parallel) return;
  for (const FormId given : call_.arguments(site, s)) {
    const Info info = u.infos[d.info_of(s, given, u.pointer_bits())];
    if (!info.addresses || info.any_address) continue;
    const std::vector<Target> targets = u.points_to[info.addresses].targets;
    const auto ends = [&](const Target& t) {
      const Object& o = u.objects[t.object];
      return o.kind == ObjectKind::Stack && !o.fresh &&
             is_temporary(u.program.functions[u.threads.contexts[o.context].function], o.a);
    };
    if (std::ranges::all_of(targets, ends)) recorder_.access(site, s, given, 0, AccessKind::Free, false);
  }
}

bool Calls::enter(const Site& site, FunctionId callee, const std::vector<FormId>& given, State& s, Frame& frame) {
  const Function& f = u.program.functions[callee];
  const ContextId context = u.threads.bounded_call(site.context, site.instruction, callee);
  const ThreadId thread = values_.thread_of(site);
  frame.context = context;
  for (std::size_t k = 0; k < f.parameters.size(); ++k) {
    const FormId value = k < given.size() ? given[k] : u.opaque(u.unknown(values_.bits_of(f.parameters[k])));
    s.environment = u.maps.set(s.environment, u.environment_key(context, ValueId(k)), value.index());
  }
  for (const auto& [parameter, size, align] : f.byval) {
    const std::uint32_t name = copied_parameter | parameter;
    const FormId copy = memory_.allocate(s, ObjectKind::Stack, context, thread, name, size, false);
    const std::uint32_t key = u.environment_key(context, ValueId(parameter));
    const auto source = u.maps.find(s.environment, key);
    if (!recorder_.access(site, s, FormId(*source), size, AccessKind::Read, false)) return false;
    memory_.copy(s, copy, FormId(*source), static_cast<std::int64_t>(size), true);
    s.environment = u.maps.set(s.environment, key, copy.index());
    frame.objects.push_back(u.object(ObjectKind::Stack, name, context, thread, true));
  }
  for (std::uint32_t i = 0; i < f.instructions.size(); ++i)
    if (f.instructions[i].opcode == Opcode::Alloca)
      frame.objects.push_back(u.object(ObjectKind::Stack, i, context, thread, true));
  const FormId section = held_.section_lock();
  frame.enters_section = models_.is_atomic_function(f.name) && !held_.holds(s, section);
  if (frame.enters_section) held_.hold(s, section, false);
  return true;
}

std::optional<std::uint32_t> Calls::leave(const Function& f, const Frame& frame, State& after) {
  const std::uint32_t base = u.environment_key(frame.context, ValueId(0));
  const std::uint32_t slot = u.environment_key(frame.context, ValueId(f.value_count()));
  const auto value = u.maps.find(after.environment, slot);
  after.environment =
      u.maps.filter(after.environment, [&](std::uint32_t key, std::uint32_t) { return key < base || key > slot; });
  if (frame.enters_section) {
    drop_lock(u, after, held_.section_lock());
    memory_.forget_unprotected(after);
  }
  memory_.leave(after, frame.objects);
  return value;
}

void Calls::call_defined(const Site& site, const State& before, FunctionId callee, const std::vector<FormId>& given,
                         States& out, Exits& exits, bool gives_result) {
  const Function& f = u.program.functions[callee];
  if (is_recursive(site.context, callee))
    return recorder_.obstacle(
        site, "recursion of '" + std::string(f.name) + "' deeper than " + std::to_string(most_activations) + " levels");
  State s = before;
  Frame frame;
  if (!enter(site, callee, given, s, frame)) return;
  if (blocks_.is_coarse()) memory_.forget(s);
  const State all = s;
  const CallerPart part = caller_parts_.take_out(s, frame.context, ledger_.watched(s));
  const State entry = blocks_.entry_for(frame.context, s);
  const Exits& left = blocks_.run_function(frame.context, entry);
  for (State after : left.returns) {
    const auto value = leave(f, frame, after);
    caller_parts_.put_back(after, part);
    if (entry != s) caller_parts_.restore(after, all, frame.context);
    if (gives_result && u.program.types[site.code().type].kind != TypeKind::Void) {
      // A value cast to another type by a mismatched prototype is not known.
      const unsigned bits = values_.bits_of(site.code().type);
      const bool fits = value && f.type && values_.bits_of(u.program.types[f.type].element) == bits;
      values_.assign(site, after, fits ? FormId(*value) : values_.defined(site, after, u.unknown(bits)));
    }
    out.push_back(after);
  }
  for (State after : left.unwinds) {
    leave(f, frame, after);
    caller_parts_.put_back(after, part);
    if (entry != s) caller_parts_.restore(after, all, frame.context);
    exits.unwinds.push_back(after);
  }
}

/// A library function without a body that another one calls: only what it calls in turn is treated.
States Calls::call_back_model(const Site& site, const State& s, FunctionId callee, const api::Model& model) {
  States out{s};
  for (const api::Effect& effect : model.effects) {
    States next;
    for (const State& now : out) {
      if (const auto back = api::get<api::CallBack>(effect); back && !back->global.empty())
        invoke_global(site, *back, now, next);
      else
        recorder_.obstacle(site, "the library calls back '" + std::string(u.program.functions[callee].name) + "'");
    }
    out = std::move(next);
  }
  return out;
}

States Calls::call_back(const Site& site, const State& s, FunctionId callee, const std::vector<FormId>& given) {
  States out;
  Exits exits;
  const api::Model* model = models_.find(u.program.functions[callee].name);
  if (!u.program.functions[callee].has_body() && model) return call_back_model(site, s, callee, *model);
  if (!u.program.functions[callee].has_body()) {
    recorder_.obstacle(
        site, "the library calls back '" + std::string(u.program.functions[callee].name) + "', which has no body");
    return {s};
  }
  call_defined(site, s, callee, given, out, exits, false);  // the library's result may be known already
  if (!exits.unwinds.empty()) recorder_.obstacle(site, "an exception leaves a function that a library called back");
  return out;
}

void Calls::invoke_global(const Site& site, const api::CallBack& back, const State& s, States& out) {
  const GlobalId global = u.program.find_global(back.global);
  if (!global)
    return recorder_.obstacle(site,
                              "the library calls what the missing global '" + std::string(back.global) + "' holds");
  State look = s;
  const FormId callee = memory_.load(look, values_.evaluate(site, s, Operand::global(global)), u.pointer_bits() / 8,
                                     u.pointer_bits(), values_.result_symbol(site));
  bool known = false;
  for (const FunctionId f : call_.functions_in(d.info_of(look, callee, u.pointer_bits()), known))
    for (const State& after : call_back(site, s, f, {})) out.push_back(after);
  if (!known) recorder_.obstacle(site, "the library calls a function that is not known");
}

void Calls::call_asm(const Site& site, State& s) {
  const CallInfo& info = site.function->calls[site.code().extra];
  const std::size_t bar = info.asm_text.find('|');
  // Anything else may do what its constraints say, and more.
  if (!touches_no_memory(info.asm_text))
    recorder_.obstacle(
        site, "inline assembly: \"" + std::string(info.asm_text.substr(0, std::min<std::size_t>(bar, 40))) + "\"");
  if (u.program.types[site.code().type].kind != TypeKind::Void)
    values_.assign(site, s, values_.defined(site, s, u.unknown(values_.bits_of(site.code().type))));
}

void Calls::call_undefined(const Site& site, const State& before, FunctionId callee, States& out, Exits& exits) {
  const Function& f = u.program.functions[callee];
  const api::Model* model = models_.find(f.name);
  State s = before;
  s.environment =
      u.maps.erase(s.environment, u.environment_key(site.context, site.function->result_of(site.instruction)));
  if (!model) {
    if (options_.undefined_functions_only_return)
      recorder_.assume_named(site, "undefined-functions");
    else
      recorder_.obstacle(site, "a call of '" + std::string(f.name) +
                                   "', which has neither a body nor a model (heddle models lists such calls)");
  }
  if (model && model->is_declared) recorder_.assume_named(site, "declared-locks");
  States states{s};
  if (model)
    for (const api::Effect& effect : model->effects) {
      States next;
      for (const State& now : states) library_.apply(site, effect, now, next, exits);
      states = std::move(next);
    }
  for (State& after : states) {
    if (!model || !model->keeps_errno) forget_errno(site, after);
    return_from(site, model, after, out);
  }
}

bool Calls::gives_errno(const Function& f) const {
  const api::Model* model = f.has_body() ? nullptr : models_.find(f.name);
  return model != nullptr && std::ranges::any_of(model->effects, [](const api::Effect& effect) {
           const auto value = api::get<api::ReturnValue>(effect);
           return value && value->what == api::ReturnValue::What::Hidden && value->name == api::errno_object;
         });
}

/// The call may have set errno.
void Calls::forget_errno(const Site& site, State& s) {
  if (!has_errno_) return;
  const std::string name(api::errno_object);
  for (const bool fresh : {true, false}) {
    const ObjectId place = u.object(ObjectKind::Hidden, 0, {}, values_.thread_of(site), fresh, name);
    if (!fresh && !u.maps.contains(s.allocated, place.index())) continue;
    recorder_.access(site, s, u.address_of(place), 4, AccessKind::Write, false);  // another thread may have its address
    memory_.store(s, u.address_of(place), u.opaque(u.any_number(32)), 4, 32);
  }
}

bool Calls::is_used(const Site& site) {
  const auto [used, is_new] = used_.try_emplace(site.function_id);
  if (is_new) used->second = used_values(*site.function);
  return used->second[site.function->result_of(site.instruction).index()];
}

InfoId Calls::described(const Site& site, const State& s, const api::CallResult& result) {
  const unsigned bits = values_.bits_of(site.code().type);
  const bool is_pointer = u.program.types[site.code().type].kind == TypeKind::Pointer;
  if ((result.is_any || result.is_number) && !is_pointer) return u.any_number(bits);
  InfoId out;
  const auto add = [&](InfoId more) { out = out ? u.join(out, more) : more; };
  for (const api::CallResult::Numbers& numbers : result.numbers) {
    const Interval all = Interval::of_width(bits);
    std::int64_t high = numbers.range.high;
    if (numbers.most != api::Effect::none) {
      const Interval most = d.interval_of(s, call_.argument(site, s, numbers.most), u.pointer_bits());
      high = most.low < 0 ? all.high : most.high;  // above all signed numbers
    }
    add(u.number({std::max(numbers.range.low, all.low), std::min(std::max(high, numbers.range.low), all.high)}));
  }
  if (result.may_be_null || result.is_any) add(u.number(Interval::constant(0)));
  if (result.may_be_outside || result.is_any)
    add(u.addresses({{u.object(ObjectKind::External, 0, {}, {}, false), 0, 0, 0}}));
  return out;
}

void Calls::return_from(const Site& site, const api::Model* model, State s, States& out) {
  static const api::CallResult any{.is_said = true, .is_any = true, .numbers = {}};
  if (u.program.types[site.code().type].kind == TypeKind::Void) return out.push_back(s);
  const auto key = u.environment_key(site.context, site.function->result_of(site.instruction));
  const bool is_given = u.maps.contains(s.environment, key);
  if (is_given) out.push_back(s);
  const bool is_pointer = u.program.types[site.code().type].kind == TypeKind::Pointer;
  const bool is_said = !model || (model->result.is_said && !(model->result.is_number && is_pointer));
  if (is_given && (!is_said || !model || !model->result.adds())) return;
  if (!is_said && is_used(site))
    recorder_.obstacle(site, "the result of '" + std::string(u.program.functions[site.callee()].name) +
                                 "', of which its model says nothing ('result = …')");
  const InfoId result = described(site, s, is_said && model ? model->result : any);
  values_.assign(site, s, values_.defined(site, s, result));
  out.push_back(s);
}

}  // namespace heddle::topdown
