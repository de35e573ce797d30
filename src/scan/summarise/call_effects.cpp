// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls do to the names and events of a function: summaries of callees put into the caller's terms (the paper's
// rebind). What library functions do is in library_actions.cpp.
#include <algorithm>

#include "scan/summarise/summarise.h"

namespace heddle::scan {

bool Summariser::in_loop() const {
  return std::ranges::any_of(loops_, [&](const Loop& l) { return l.contains(rank_); });
}

void Summariser::execute_call(std::size_t number) {
  const Instruction& call = f_->instructions[number];
  const auto operands = f_->operands_of(call);
  if (operands.empty()) return;
  const auto arguments = f_->arguments_of(call);
  if (operands[0].kind() == Operand::Kind::Asm) {
    if (!in_.assumptions.inline_assembly) touch_all(arguments);
    return;
  }
  const SymbolicValue callee = value_of(operands[0]);
  if (callee.kind == SymbolicValue::Kind::Code) {
    if (const api::Model* model = in_.models[callee.code.index()]) return apply_model(number, *model, arguments);
    if (in_.program.functions[callee.code].has_body()) return call_function(number, callee.code, arguments, false);
    if (!in_.assumptions.library_reach) touch_all(arguments);
    return;
  }
  const auto targets = in_.targets.of(id_, number);
  const bool is_wide = targets.size() > in_.limits.wide_call;
  for (const FunctionId target : targets)
    if (in_.program.functions[target].has_body()) call_function(number, target, arguments, is_wide);
  // Several targets: which of their results it is, nobody knows.
  if (targets.size() > 1) set_value(number, {});
}

/// Code that nobody knows reads and writes what it is given.
void Summariser::touch_all(std::span<const Operand> arguments) {
  for (const Operand argument : arguments) {
    const SymbolicValue given = value_of(argument);
    if (!given.is_address()) continue;
    forget_stores(given.address.node, ByteRange::everything());
    add_access(given.address, key_of(given.address, argument), AccessMode::Write, false, 0);
    publish(given.address.node, Reach::Everybody);
  }
}

void Summariser::call_function(std::size_t number, FunctionId callee, std::span<const Operand> arguments,
                               bool is_opaque) {
  // A callee that the call graph does not know here, only symbolic execution, may not be summarised yet.
  static const FunctionSummary nothing;
  const bool is_known = std::ranges::binary_search(in_.targets.callees(id_), callee);
  const FunctionSummary& summary = is_known ? summaries_[callee.index()] : nothing;
  BoundCall call;
  // Among hundreds that call each other, everything would come by everywhere.
  call.hands_on = !is_opaque && is_known &&
                  !(in_.targets.goes_backward(id_, callee) &&
                    in_.targets.components()[in_.targets.component_of(id_)].size() > in_.limits.component);
  out_.calls.push_back({.instruction = static_cast<std::uint32_t>(number),
                        .callee = callee,
                        .in_loop = in_loop(),
                        .is_opaque = !call.hands_on});
  call.callee = callee;
  call.instruction = static_cast<std::uint32_t>(number);
  call.summary = &summary;
  call.rank = rank_;
  if (summary.missing == FunctionSummary::Missing::None && !is_opaque) {
    call.names.resize(summary.nodes.size());
    for (std::size_t i = 0; i < summary.nodes.size(); ++i) call.names[i] = bound_name(summary, i, call, arguments);
    call.rebound.assign(summary.locksets.size(), none);
    // Pointers in our own memory that the callee may have overwritten are not known any more.
    for (std::uint32_t i = 0; i < arguments.size(); ++i) {
      const SymbolicValue value = value_of(arguments[i]);
      if (!value.is_address() || !owner(value.address.node)) continue;
      const auto is_there = [&](const auto& entry) { return entry.first.node == value.address.node; };
      if (std::ranges::any_of(store_, is_there))
        forget_stores(value.address.node, summary.written(i).moved(value.address.offset));
    }
    for (const auto& [to, value] : summary.stores) {
      const Lvalue where = call.name(to);
      if (!where.valid()) continue;
      const SymbolicValue bound = bound_value(value, call);
      store_to(where, bound);
      if (bound.is_address()) contain(where.node, bound.address.node);
    }
    set_value(number, bound_value(summary.result, call));
    for (std::uint32_t i = 0; i < arguments.size(); ++i)
      if (summary.escapes(i))
        if (const SymbolicValue value = value_of(arguments[i]); value.is_address())
          publish(value.address.node, Reach::Everybody);
    if (std::ranges::any_of(summary.locksets, [](const RelativeLockset& l) { return !l.is_empty(); }))
      has_lock_events_ = true;
    has_thread_events_ |= summary.exit_threads != 0;
    pass_on_spawns(number, summary, call);
  }
  out_.may_spawn |= summary.may_spawn;
  events_.push_back({.kind = Event::Kind::Call,
                     .position = position_,
                     .instruction = static_cast<std::uint32_t>(number),
                     .number = static_cast<std::uint32_t>(calls_.size())});
  calls_.push_back(std::move(call));
  out_.calls.back().lockset =
      static_cast<std::uint32_t>(events_.size() - 1);  // the event for now; see guarded_accesses.cpp
}

/// Nodes stand behind their parents in a summary, so these have names by now.
Lvalue Summariser::bound_name(const FunctionSummary& callee, std::size_t number, const BoundCall& call,
                              std::span<const Operand> arguments) {
  const Node& node = callee.nodes[number];
  switch (node.kind) {
    case NodeKind::Formal: {
      if (node.index >= arguments.size()) return {};
      const Lvalue given = lvalue_of(arguments[node.index]);
      if (given.valid() && given.offset == 0) nodes_.learn_type(given.node, node.type);
      return given;
    }
    case NodeKind::Global: return {nodes_.global(GlobalId(node.index), node.type), 0};
    case NodeKind::Hidden: return {nodes_.intern({.kind = NodeKind::Hidden, .index = node.index}), 0};
    case NodeKind::Target: {
      const Lvalue pointer = call.name({node.parent, node.offset});
      if (!pointer.valid()) return pointer;
      const SymbolicValue value = load_from(pointer, node.type);
      if (value.is_address()) return value.address;
      if (value.kind != SymbolicValue::Kind::Unknown) return {};
      const bool is_ours = nodes_[nodes_.root(pointer.node)].kind == NodeKind::Local;
      return is_ours ? BoundCall::somewhere() : BoundCall::too_deep();
    }
    case NodeKind::Element: {
      const Lvalue array = call.name({node.parent, node.offset});
      if (!array.valid()) return array;
      return {nodes_.element(array, node.stride, Node::some_element), 0};
    }
    case NodeKind::Fresh: {
      const NodeId fresh = nodes_.intern({.kind = NodeKind::Fresh,
                                          .index = call.instruction,
                                          .function = id_,
                                          .stride = static_cast<std::int32_t>(number + 1),
                                          .type = node.type});
      made_.try_emplace(fresh.index(), rank_);
      if (node.is_published) publish(fresh, Reach::Everybody);
      return {fresh, 0};
    }
    case NodeKind::Value:
      if (is_some_object(node))
        return {nodes_.intern({.kind = NodeKind::Value, .index = node.index, .type = node.type}), 0};
      if (callee.result.is_address() && callee.result.address.node.index() == number)
        return {value_node(f_->result_of(call.instruction)), -callee.result.address.offset};
      return {};
    case NodeKind::Local: {
      if (callee.returned_handle.node != NodeId(number)) return {};
      const Lvalue handle = returned_handle(f_->result_of(call.instruction));
      return {handle.node, -callee.returned_handle.offset};
    }
  }
  return {};
}

SymbolicValue Summariser::bound_value(const SymbolicValue& value, const BoundCall& call) const {
  if (!value.is_address()) return value;
  const Lvalue at = call.name(value.address);
  if (!at.valid()) return {};
  return {.kind = SymbolicValue::Kind::Address, .address = at};
}

void Summariser::spawn(std::size_t number, const SymbolicValue& entry, const SymbolicValue& argument, Lvalue handle) {
  const bool is_known = argument.kind == SymbolicValue::Kind::Code ||
                        (argument.is_address() && nodes_[argument.address.node].kind == NodeKind::Formal);
  if (entry.kind == SymbolicValue::Kind::Code && in_.trampolines[entry.code.index()] && is_known) {
    out_.spawns.push_back({.instruction = static_cast<std::uint32_t>(number), .entry = entry, .is_trampoline = true});
    return spawn(number, argument, {}, handle);
  }
  out_.spawns.push_back({.instruction = static_cast<std::uint32_t>(number),
                         .entry = entry,
                         .argument = argument,
                         .has_handle = !is_nameless(handle),
                         .in_loop = in_loop(),
                         .fresh_argument = is_fresh(argument)});
  events_.push_back({.kind = Event::Kind::Spawn,
                     .position = position_,
                     .instruction = static_cast<std::uint32_t>(number),
                     .number = started_thread(entry, handle, rank_, false)});
}

bool Summariser::is_fresh(const SymbolicValue& value) const {
  return value.is_address() && nodes_[value.address.node].kind == NodeKind::Fresh;
}

/// What a function pointer of the callee is here. `init(formal)` of one is the argument itself.
SymbolicValue Summariser::bound_entry(const SymbolicValue& entry, const FunctionSummary& callee,
                                      const BoundCall& call) {
  if (!entry.is_address() || callee.nodes[entry.address.node.index()].kind != NodeKind::Formal)
    return bound_value(entry, call);
  const auto operands = f_->operands_of(f_->instructions[call.instruction]);
  const std::size_t index = callee.nodes[entry.address.node.index()].index + 1;
  return index < operands.size() ? value_of(operands[index]) : SymbolicValue{};
}

/// A wrapper starts a thread whose entry only its callers know.
void Summariser::pass_on_spawns(std::size_t number, const FunctionSummary& callee, const BoundCall& call) {
  for (const SummarySpawn& inner : callee.spawns) {
    if (inner.entry.kind == SymbolicValue::Kind::Code) continue;
    const SymbolicValue entry = bound_entry(inner.entry, callee, call);
    const SymbolicValue argument = bound_value(inner.argument, call);
    if (argument.is_address()) publish(argument.address.node, Reach::Everybody);
    const bool is_named = std::ranges::all_of(callee.started, [&](const StartedThread& thread) {
      return !(thread.entry == inner.entry) || !is_nameless(call.name(thread.handle));
    });
    if (entry.kind == SymbolicValue::Kind::Code || (entry.is_address() && nodes_[entry.address.node].from_formal)) {
      out_.spawns.push_back({.instruction = static_cast<std::uint32_t>(number),
                             .entry = entry,
                             .argument = argument,
                             .has_handle = inner.has_handle && is_named,
                             .in_loop = in_loop() || inner.in_loop,
                             .fresh_argument = is_fresh(argument)});
    }
  }
}

}  // namespace heddle::scan
