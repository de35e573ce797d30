// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "topdown/transfer/top_down_analysis.h"

namespace heddle::topdown {

namespace {
constexpr int most_activations = 2;  ///< of one function on a call string
constexpr std::uint32_t copied_parameter = 0x80000000;
}  // namespace

bool TopDownAnalysis::is_recursive(ContextId context, FunctionId callee) const {
  int active = 0;
  for (ContextId c = context; c; c = u.threads.contexts[c].caller)
    active += u.threads.contexts[c].function == callee ? 1 : 0;
  return active >= most_activations;
}

std::vector<FormId> TopDownAnalysis::arguments(const Site& site, const State& s) {
  std::vector<FormId> out;
  for (const Operand given : site.function->arguments_of(site.code())) out.push_back(evaluate(site, s, given));
  return out;
}

std::vector<FunctionId> TopDownAnalysis::callees(const Site& site, const State& s, bool& unknown) {
  const Operand callee = site.operands()[0];
  if (callee.is_function()) return {callee.as_function()};
  const Info info = u.infos[d.info_of(s, evaluate(site, s, callee), u.pointer_bits())];
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

void TopDownAnalysis::call(const Site& site, States& states, Exits& exits) {
  States out;
  for (const State& before : states) {
    step();
    State s = before;
    if (site.operands()[0].kind() == Operand::Kind::Asm) {
      call_asm(site, s);
      out.push_back(s);
      continue;
    }
    bool unknown = false;
    const std::vector<FunctionId> targets = callees(site, s, unknown);
    if (unknown) {
      obstacle(site, "a call through a pointer whose targets are not known");
      State after = s;
      assign(site, after, defined(site, after, u.unknown(bits_of(site.code().type))));
      out.push_back(after);
    }
    for (const FunctionId callee : targets) {
      if (program_.functions[callee].has_body())
        call_defined(site, s, callee, arguments(site, s), out, exits);
      else
        call_undefined(site, s, callee, out, exits);
    }
  }
  compact(out, site);
  states = std::move(out);
}

void TopDownAnalysis::call_defined(const Site& site, const State& before, FunctionId callee,
                                   const std::vector<FormId>& given, States& out, Exits& exits) {
  const Function& f = program_.functions[callee];
  if (is_recursive(site.context, callee)) {
    obstacle(site,
             "recursion of '" + std::string(f.name) + "' deeper than " + std::to_string(most_activations) + " levels");
    return;
  }
  const ContextId context = u.threads.call(site.context, site.instruction, callee);
  State s = before;
  for (std::size_t k = 0; k < f.parameters.size(); ++k) {
    FormId value = k < given.size() ? given[k] : u.opaque(u.unknown(bits_of(f.parameters[k])));
    s.environment = u.maps.set(s.environment, u.environment_key(context, ValueId(k)), value.index());
  }
  std::vector<ObjectId> frame;
  for (const auto& [parameter, size, align] : f.byval) {
    const std::uint32_t name = copied_parameter | parameter;
    const FormId copy = memory_.allocate(s, ObjectKind::Stack, context, thread_of(site), name, size, false);
    const std::uint32_t key = u.environment_key(context, ValueId(parameter));
    const auto source = u.maps.find(s.environment, key);
    if (!access(site, s, FormId(*source), size, AccessKind::Read, false)) return;
    memory_.copy(s, copy, FormId(*source), static_cast<std::int64_t>(size), true);
    s.environment = u.maps.set(s.environment, key, copy.index());
    frame.push_back(u.object(ObjectKind::Stack, name, context, thread_of(site), true));
  }
  for (std::uint32_t i = 0; i < f.instructions.size(); ++i)
    if (f.instructions[i].opcode == Opcode::Alloca)
      frame.push_back(u.object(ObjectKind::Stack, i, context, thread_of(site), true));
  const FormId section = section_lock();
  const bool enters = models_.is_atomic_function(f.name) && !u.maps.contains(s.locks, section.index());
  if (enters) hold(s, section, false);

  const Exits& left = run_function(context, s);
  const std::uint32_t base = u.environment_key(context, ValueId(0));
  const std::uint32_t slot = u.environment_key(context, ValueId(f.value_count()));
  auto leave = [&](State& after) {
    const auto value = u.maps.find(after.environment, slot);
    MapId kept = after.environment;
    u.maps.for_each(after.environment, [&](std::uint32_t key, std::uint32_t) {
      if (key >= base && key <= slot) kept = u.maps.erase(kept, key);
    });
    after.environment = kept;
    if (enters) {
      after.locks = u.maps.erase(after.locks, section.index());
      memory_.forget_unprotected(after);
    }
    memory_.leave(after, frame);
    return value;
  };
  for (State after : left.returns) {
    const auto value = leave(after);
    if (program_.types[site.code().type].kind != TypeKind::Void) {
      // A value cast to another type by a mismatched prototype is not known.
      const bool fits = value && f.type && bits_of(program_.types[f.type].element) == bits_of(site.code().type);
      assign(site, after, fits ? FormId(*value) : defined(site, after, u.unknown(bits_of(site.code().type))));
    }
    out.push_back(after);
  }
  for (State after : left.unwinds) {
    leave(after);
    exits.unwinds.push_back(after);
  }
}

States TopDownAnalysis::call_back(const Site& site, const State& s, FunctionId callee,
                                  const std::vector<FormId>& given) {
  States out;
  Exits exits;
  const api::Model* model = models_.find(program_.functions[callee].name);
  if (!program_.functions[callee].has_body() && model) {
    out.push_back(s);
    for (const api::Effect& effect : model->effects) {
      States next;
      for (const State& now : out) {
        if (const auto back = api::get<api::CallBack>(effect); back && !back->global.empty())
          invoke_global(site, *back, now, next);
        else
          obstacle(site, "the library calls back '" + std::string(program_.functions[callee].name) + "'");
      }
      out = std::move(next);
    }
    return out;
  }
  if (!program_.functions[callee].has_body()) {
    obstacle(site, "the library calls back '" + std::string(program_.functions[callee].name) + "', which has no body");
    return {s};
  }
  const auto key = u.environment_key(site.context, site.function->result_of(site.instruction));
  const auto result = u.maps.find(s.environment, key);
  call_defined(site, s, callee, given, out, exits);
  for (State& after : out)
    after.environment = result ? u.maps.set(after.environment, key, *result) : u.maps.erase(after.environment, key);
  if (!exits.unwinds.empty()) obstacle(site, "an exception leaves a function that a library called back");
  return out;
}

void TopDownAnalysis::invoke_global(const Site& site, const api::CallBack& back, const State& s, States& out) {
  const GlobalId global = program_.find_global(back.global);
  if (!global)
    return obstacle(site, "the library calls what the missing global '" + std::string(back.global) + "' holds");
  State look = s;
  const FormId callee = memory_.load(look, evaluate(site, s, Operand::global(global)), u.pointer_bits() / 8,
                                     u.pointer_bits(), result_symbol(site));
  bool known = false;
  for (const FunctionId f : functions_in(d.info_of(look, callee, u.pointer_bits()), known))
    for (const State& after : call_back(site, s, f, {})) out.push_back(after);
  if (!known) obstacle(site, "the library calls a function that is not known");
}

void TopDownAnalysis::call_asm(const Site& site, State& s) {
  const CallInfo& info = site.function->calls[site.code().extra];
  const std::size_t bar = info.asm_text.find('|');
  const bool is_empty = info.asm_text.find_first_not_of(" \t\n") == bar;
  // An empty template is a compiler barrier; anything else may do what its constraints say, and more.
  if (!is_empty)
    obstacle(site, "inline assembly: \"" + std::string(info.asm_text.substr(0, std::min<std::size_t>(bar, 40))) + "\"");
  if (program_.types[site.code().type].kind != TypeKind::Void)
    assign(site, s, defined(site, s, u.unknown(bits_of(site.code().type))));
}

void TopDownAnalysis::call_undefined(const Site& site, const State& before, FunctionId callee, States& out,
                                     Exits& exits) {
  const Function& f = program_.functions[callee];
  const api::Model* model = models_.find(f.name);
  const bool has_result = program_.types[site.code().type].kind != TypeKind::Void;
  const bool is_pointer = has_result && program_.types[site.code().type].kind == TypeKind::Pointer;
  const unsigned bits = bits_of(site.code().type);
  const auto key = u.environment_key(site.context, site.function->result_of(site.instruction));
  State s = before;
  s.environment = u.maps.erase(s.environment, key);
  if (!model) {
    if (options_.undefined_functions_only_return)
      assume_named("undefined-functions");
    else
      obstacle(site, "a call of '" + std::string(f.name) +
                         "', which has neither a body nor a model (heddle models lists such calls)");
  }
  if (model && model->is_declared) assume_named("declared-locks");
  States states{s};
  if (model)
    for (const api::Effect& effect : model->effects) {
      States next;
      for (const State& now : states) apply(site, effect, now, next, exits);
      states = std::move(next);
    }
  for (State& after : states) {
    if (has_result && !u.maps.contains(after.environment, key)) {
      InfoId result = u.any_number(bits);
      if (is_pointer) {  // null, or memory of the world outside
        const ObjectId outside = u.object(ObjectKind::External, 0, {}, {}, false);
        result = u.join(u.number(Interval::constant(0)), u.addresses({{outside, 0, 0, 0}}));
      }
      assign(site, after, defined(site, after, result));
    }
    out.push_back(after);
  }
}

}  // namespace heddle::topdown
