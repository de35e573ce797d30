// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/call_effects.h"

#include <algorithm>
#include <array>

namespace heddle::scan {

void CallEffects::call_pointer(Operand pointer, std::span<const Operand> arguments) {
  const std::uint32_t number = s_.done.at.instruction;
  const auto targets = s_.in.targets.of(s_.body.id, number);
  const bool is_wide = targets.size() > s_.in.limits.wide_call;
  for (const FunctionId target : targets)
    if (s_.in.program.functions[target].has_body()) {
      const std::uint32_t parameter = s_.names.code_parameter(pointer);
      call(target, arguments, is_wide, parameter == no_parameter ? Condition{} : Condition::if_code(parameter, target));
    }
}

void CallEffects::touch_all(std::span<const Operand> arguments) {
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const SymbolicValue given = s_.names.value_of(arguments[k]);
    if (!given.is_address()) continue;
    s_.stores.forget_all(given.address.node);
    s_.add_access(given.address, s_.names.key_of(given.address, arguments[k]), AccessKind::Write, false, 0, k);
    s_.done.publication.publish(given.address.node, Audience::Everybody);
  }
}

void CallEffects::forget_all(std::span<const Operand> arguments) {
  for (const Operand argument : arguments)
    if (const SymbolicValue given = s_.names.value_of(argument); given.is_address())
      s_.stores.forget_all(given.address.node);
}

/// Whether the callee's accesses are taken over. Among hundreds of functions that call each other, everything would
/// come by everywhere.
bool CallEffects::hands_on(FunctionId callee) const {
  const CallTargets& targets = s_.in.targets;
  return !targets.goes_backward(s_.body.id, callee) ||
         (!s_.done.backward_opaque &&
          targets.components()[targets.component_of(s_.body.id)].size() <= s_.in.limits.component);
}

namespace {

/// Whether it may return with locks of its caller given back.
bool gives_back(const FunctionSummary& summary) {
  return std::ranges::any_of(std::array{summary.exit, summary.exit_zero, summary.exit_other, summary.exit_valid,
                                        summary.exit_if, summary.exit_else},
                             [&](std::uint32_t exit) { return !summary.locksets[exit].released.empty(); });
}

bool may_interrupt(const FunctionSummary& summary) { return summary.may_interrupt_any || !summary.interrupted.empty(); }

}  // namespace

/// What is said of acquisitions has to come to rest where functions call each other: calls backward say nothing, and
/// where not even what they give back comes to rest, they may give back everything.
void CallEffects::limit_history(BoundCall& call) const {
  const CallTargets& targets = s_.in.targets;
  const std::uint32_t component = targets.component_of(s_.body.id);
  const bool is_backward = targets.goes_backward(s_.body.id, call.callee);
  call.keeps_history = !is_backward;
  const bool is_restless = is_backward && s_.done.backward_opaque;
  const bool is_in_large =
      targets.component_of(call.callee) == component && targets.components()[component].size() > s_.in.limits.component;
  call.may_interrupt = is_restless || is_in_large;
}

void CallEffects::call(FunctionId callee, std::span<const Operand> arguments, bool is_opaque, Condition when) {
  static const FunctionSummary nothing;
  const bool is_known = std::ranges::binary_search(s_.in.targets.callees(s_.body.id), callee);
  const FunctionSummary& summary = is_known ? s_.summaries[callee.index()] : nothing;
  BoundCall call;
  call.callee = callee;
  call.instruction = s_.done.at.instruction;
  call.arguments = arguments;
  call.summary = &summary;
  call.when = when;
  call.rank = s_.done.at.rank;
  call.in_loop = s_.body.is_in_loop(call.rank);
  limit_history(call);
  call.hands_on = !is_opaque && is_known && hands_on(callee);
  if (summary.missing == FunctionSummary::Missing::None && !is_opaque) {
    bind(call, arguments);
    apply_stores(call, arguments);
    s_.names.set(call.instruction, bound_result(call));
    publish_escaping(call, arguments);
    if (std::ranges::any_of(summary.locksets, [](const RelativeLockset& l) { return !l.is_empty(); }))
      s_.done.has_lock_events = true;
    s_.done.has_history_events |= summary.histories.size() > 1 || may_interrupt(summary);
    s_.done.has_thread_events |= summary.exit_threads != 0;
    pass_on_spawns(call);
  } else if (summary.missing == FunctionSummary::Missing::None) {
    forget_written(call, arguments);
    publish_escaping(call, arguments);
    if (std::ranges::any_of(summary.spawns, [](const SummarySpawn& s) { return !s.entry.is_code(); }))
      s_.done.spawns.push_back({.instruction = call.instruction});
    call.may_interrupt |= may_interrupt(summary);
    if (gives_back(summary)) {
      bind(call, arguments);
      s_.done.has_lock_events = true;
    }
  }
  s_.done.may_spawn |= summary.may_spawn;
  s_.done.add(SymbolicEvent::Kind::Call).call = static_cast<std::uint32_t>(s_.done.calls.size());
  s_.done.calls.push_back(std::move(call));
}

SymbolicValue CallEffects::bound_result(const BoundCall& call) {
  const SymbolicValue& result = call.summary->result;
  if (!result.is_parameter()) return bound_value(result, call);
  const auto index = static_cast<std::size_t>(result.number);
  const SymbolicValue given =
      index < call.arguments.size() ? s_.names.value_of(call.arguments[index]) : SymbolicValue{};
  return given.is_number() ? given : SymbolicValue{};
}

/// Nodes stand behind their parents in a summary, so these have names by then.
void CallEffects::bind(BoundCall& call, std::span<const Operand> arguments) {
  const FunctionSummary& summary = *call.summary;
  call.is_bound = true;
  call.names.resize(summary.nodes.size());
  for (std::size_t i = 0; i < summary.nodes.size(); ++i) call.names[i] = bound_name(summary, i, call, arguments);
}

/// Pointers in our own memory that the callee may have overwritten are not known any more.
void CallEffects::forget_written(const BoundCall& call, std::span<const Operand> arguments) {
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    const SymbolicValue value = s_.names.value_of(arguments[i]);
    if (!value.is_address()) continue;
    const auto forget = [&](Lvalue at) {
      if (s_.stores.knows_any_of(at.node)) s_.stores.forget(at.node, call.summary->written(i).moved(at.offset));
    };
    for (const Lvalue& one : s_.names.meanings(value.address)) {
      forget(one);
      pass_on_overwriting(call, i, one.node);
    }
    pass_on_overwriting(call, i, value.address.node);
    if (s_.done.publication.owner(value.address.node)) forget(value.address);
  }
  forget_written_below(call);
}

/// What the callee may overwrite in ways that no group tells, we may as well.
void CallEffects::pass_on_overwriting(const BoundCall& call, std::uint32_t argument, NodeId given) {
  const NodeId owner = s_.done.publication.owner(given);
  if (argument >= 64 || (call.summary->overwriting >> argument & 1) == 0 || !owner) return;
  const Node& ours = s_.nodes[owner];
  if (ours.kind == NodeKind::Formal && ours.index < 64) s_.done.overwriting |= std::uint64_t{1} << ours.index;
}

/// Memory of ours that the callee finds behind a pointer that it was given.
void CallEffects::forget_written_below(const BoundCall& call) {
  if (!call.is_bound || s_.stores.now().empty()) return;
  for (const AccessGroup& group : call.summary->groups) {
    if (group.written.is_empty() || call.summary->nodes[group.node.index()].depth == 0) continue;
    const Lvalue at = call.name({group.node, 0});
    if (at.valid() && at.node.valid() && s_.stores.knows_any_of(at.node))
      s_.stores.forget(at.node, group.written.moved(at.offset));
  }
}

void CallEffects::apply_stores(const BoundCall& call, std::span<const Operand> arguments) {
  forget_written(call, arguments);
  for (const auto& [to, value] : call.summary->stores) {
    const Lvalue where = call.name(to);
    if (!where.valid()) continue;
    const SymbolicValue bound = bound_value(value, call);
    s_.stores.store(where, bound);
    if (bound.is_address()) s_.done.publication.contain(where.node, bound.address.node);
  }
}

void CallEffects::publish_escaping(const BoundCall& call, std::span<const Operand> arguments) {
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    if (!call.summary->escapes(i) && !call.summary->escapes_below(i)) continue;
    const SymbolicValue value = s_.names.value_of(arguments[i]);
    if (!value.is_address()) continue;
    if (call.summary->escapes(i)) s_.done.publication.publish(value.address.node, Audience::Everybody);
    if (call.summary->escapes_below(i)) s_.done.publication.publish_below(value.address.node, Audience::Everybody);
  }
}

Lvalue CallEffects::bound_target(const Node& node, const BoundCall& call) {
  const Lvalue pointer = call.name({node.parent, node.offset});
  if (!pointer.valid()) return pointer;
  const SymbolicValue value = s_.stores.load(pointer, node.type);
  if (value.is_address()) return value.address;
  if (!value.is_unknown()) return {};
  const bool is_ours = s_.nodes[s_.nodes.root(pointer.node)].kind == NodeKind::Local;
  return is_ours ? BoundCall::somewhere() : BoundCall::too_deep();
}

Lvalue CallEffects::bound_name(const FunctionSummary& callee, std::size_t number, const BoundCall& call,
                               std::span<const Operand> arguments) {
  const Node& node = callee.nodes[number];
  switch (node.kind) {
    case NodeKind::Formal: {
      if (node.index >= arguments.size()) return {};
      const Lvalue given = s_.names.lvalue_of(arguments[node.index]);
      if (given.valid() && given.offset == 0) s_.nodes.learn_type(given.node, node.type);
      return given;
    }
    case NodeKind::Global: return {s_.nodes.global(GlobalId(node.index), node.type), 0};
    case NodeKind::Hidden: return {s_.nodes.intern({.kind = NodeKind::Hidden, .index = node.index}), 0};
    case NodeKind::Target: return bound_target(node, call);
    case NodeKind::Element: {
      const Lvalue array = call.name({node.parent, node.offset});
      if (!array.valid()) return array;
      return {s_.nodes.element(array, node.stride, Node::some_element), 0};
    }
    case NodeKind::Fresh: {
      const NodeId fresh = s_.fresh_memory(static_cast<std::int32_t>(number + 1), node.type);
      if (node.is_published) s_.done.publication.publish(fresh, Audience::Everybody);
      return {fresh, 0};
    }
    case NodeKind::Value:
      if (is_some_object(node))
        return {s_.nodes.intern({.kind = NodeKind::Value, .index = node.index, .type = node.type}), 0};
      if (callee.result.is_address() && callee.result.address.node.index() == number)
        return {s_.names.value_node(s_.f.result_of(call.instruction)), -callee.result.address.offset};
      return {};
    case NodeKind::Local: {
      if (callee.returned_handle.node != NodeId(number)) return {};
      const Lvalue handle = s_.done.threads.returned_handle(s_.f.result_of(call.instruction));
      return {handle.node, -callee.returned_handle.offset};
    }
  }
  return {};
}

SymbolicValue bound_value(const SymbolicValue& value, const BoundCall& call) {
  if (!value.is_address()) return value;
  const Lvalue at = call.name(value.address);
  return at.valid() ? SymbolicValue::at(at) : SymbolicValue{};
}

SymbolicValue bound_entry(const SymbolicValue& entry, const BoundCall& call, ValueNames& names) {
  const std::vector<Node>& theirs = call.summary->nodes;
  if (!entry.is_address() || theirs[entry.address.node.index()].kind != NodeKind::Formal)
    return bound_value(entry, call);
  const std::uint32_t index = theirs[entry.address.node.index()].index;
  return index < call.arguments.size() ? names.value_of(call.arguments[index]) : SymbolicValue{};
}

namespace {

bool is_fresh(const NodeTable& nodes, const SymbolicValue& value) {
  return value.is_address() && nodes[value.address.node].kind == NodeKind::Fresh;
}

}  // namespace

void CallEffects::spawn(const SymbolicValue& entry, const SymbolicValue& argument, Lvalue handle, bool is_group) {
  const std::uint32_t number = s_.done.at.instruction;
  const bool is_known =
      argument.is_code() || (argument.is_address() && s_.nodes[argument.address.node].kind == NodeKind::Formal);
  if (entry.is_code() && s_.in.trampolines[entry.code.index()] && is_known) {
    s_.done.spawns.push_back({.instruction = number, .entry = entry, .is_trampoline = true});
    return spawn(argument, {}, handle, is_group);
  }
  s_.done.spawns.push_back({.instruction = number,
                            .entry = entry,
                            .argument = argument,
                            .has_handle = !s_.done.threads.is_nameless(handle),
                            .in_loop = is_group || s_.body.is_in_loop(s_.done.at.rank),
                            .fresh_argument = is_fresh(s_.nodes, argument)});
  const std::uint32_t thread = s_.done.threads.add(entry, handle, s_.done.at.rank, false, is_group);
  s_.done.add(SymbolicEvent::Kind::Spawn).thread = thread;
}

/// A wrapper starts a thread whose entry only its callers know.
void CallEffects::pass_on_spawns(const BoundCall& call) {
  const FunctionSummary& callee = *call.summary;
  for (const SummarySpawn& inner : callee.spawns) {
    if (inner.entry.is_code()) continue;
    const SymbolicValue entry = bound_entry(inner.entry, call, s_.names);
    const SymbolicValue argument = bound_value(inner.argument, call);
    if (argument.is_address()) s_.done.publication.publish(argument.address.node, Audience::Everybody);
    const bool is_named = std::ranges::all_of(callee.started, [&](const StartedThread& thread) {
      return !(thread.entry == inner.entry) || !s_.done.threads.is_nameless(call.name(thread.handle));
    });
    const bool is_known = entry.is_code() || (entry.is_address() && s_.nodes[entry.address.node].from_formal);
    s_.done.spawns.push_back({.instruction = call.instruction,
                              .entry = is_known ? entry : SymbolicValue{},
                              .argument = argument,
                              .has_handle = inner.has_handle && is_named,
                              .in_loop = call.in_loop || inner.in_loop,
                              .fresh_argument = is_fresh(s_.nodes, argument)});
  }
}

}  // namespace heddle::scan
