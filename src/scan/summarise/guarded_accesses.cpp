// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/guarded_accesses.h"

#include <algorithm>

#include "scan/summarise/block_conditions.h"

namespace heddle::scan {
namespace {

/// Of what tells groups apart.
std::uint64_t hash_of(const AccessGroup& group, std::uint32_t rows) {
  const auto two = [](std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; };
  const std::uint32_t flags = std::uint32_t{group.when.hash()} << 1 | (group.after_publication ? 1U : 0U);
  return mixed(mixed(two(group.node.index(), group.lockset), two(group.threads, flags)), rows);
}

}  // namespace

GuardedAccesses::GuardedAccesses(const ScanInput& input, const FunctionBody& body, ValueNames& names,
                                 const Execution& done, LockFlow& flow)
    : calls(done.calls.size()),
      spawns(done.spawns),
      in_(input),
      body_(body),
      names_(names),
      done_(done),
      flow_(flow),
      has_variants_(flow.variants().size() > 1) {
  conditions_ = find_block_conditions(input, body, names);
  const auto& variants = flow.variants();
  for (std::uint32_t rank = 0; rank < body.block_count(); ++rank) {
    if (!has_variants_ || (variants[0].entry[rank].is_like(variants[1].entry[rank]) && !flow.decides_in(rank))) {
      LockState both = variants[0].entry[rank];
      if (has_variants_) both.history = flow.histories().join(both.history, variants[1].entry[rank].history);
      collect_block(rank, both, {});
      continue;
    }
    const std::size_t first_spawn = next_spawn_;
    for (const LockFlow::Variant& variant : variants) {
      if (!variant.entry[rank].reached) continue;
      next_spawn_ = first_spawn;
      flow.look_at(variant);
      collect_block(rank, variant.entry[rank], flow.condition_of(variant));
    }
  }
  std::erase_if(calls, [](const SummaryCall& call) { return !call.callee; });
}

void GuardedAccesses::collect_block(std::uint32_t rank, const LockState& entry, Condition when) {
  const Condition here = conditions_.empty() ? Condition{} : conditions_[rank];
  if (when.is_always()) when = here;
  LockState state = flow_.enter(rank, entry);
  LockFlow::Alternatives alternatives;
  const auto [first, end] = done_.block_events[rank];
  for (std::uint32_t e = first; e < end; ++e) {
    const SymbolicEvent& event = done_.events[e];
    if (!state.reached || state.ended) {
      skip_spawns(event);
      continue;
    }
    const LockState& before = alternatives.instruction == event.at.instruction ? alternatives.first : state;
    if (event.kind == SymbolicEvent::Kind::Access) add_access(event, state, when);
    if (event.kind == SymbolicEvent::Kind::Call) {
      const Condition chosen = done_.calls[event.call].when;
      note_call(event.call, before, chosen.is_always() ? here : chosen);
      take_over(event.call, before, event.at.position, chosen.is_always() ? when : chosen);
    }
    if (event.kind == SymbolicEvent::Kind::Call || event.kind == SymbolicEvent::Kind::Spawn) note_spawns(event, before);
    flow_.step(e, state, alternatives);
  }
}

void GuardedAccesses::add_access(const SymbolicEvent& event, const LockState& state, Condition when) {
  const NodeId node = event.where.node;
  if (done_.publication.is_private(node, event.at.position)) return;
  OpenGroup& to = group_of(node, state, done_.publication.is_published(node, event.at.position), when);
  own.append(to.own, {event.at.instruction, event.where.offset, event.size, event.key, event.access, event.is_atomic,
                      event.address});
  if (event.access != AccessKind::Read) to.group.written.add(ByteRange::at(event.where.offset, event.size));
}

/// A call is listed once, with what is so on all ways there.
void GuardedAccesses::note_call(std::uint32_t index, const LockState& before, Condition when) {
  SummaryCall& call = calls[index];
  if (call.callee) {
    call.lockset = flow_.locksets().join(call.lockset, before.lockset);
    call.history = flow_.histories().join(call.history, before.history);
    call.threads = flow_.threads().join(call.threads, before.threads);
    return;
  }
  const BoundCall& bound = done_.calls[index];
  call = {.instruction = bound.instruction,
          .callee = bound.callee,
          .lockset = before.lockset,
          .history = before.history,
          .threads = before.threads,
          .in_loop = bound.in_loop,
          .is_opaque = !bound.hands_on,
          .when = when};
  note_arguments(bound, call);
}

/// Whether an argument is of the parameter's size: without a prototype, or through a pointer of another type, it may be
/// something else there.
bool GuardedAccesses::fits_parameter(const BoundCall& call, std::uint32_t index) const {
  const Function& f = body_.function;
  const Function& callee = in_.program.functions[call.callee];
  if (index >= callee.parameters.size()) return false;
  const Operand given = call.arguments[index];
  TypeId type;
  if (given.is_constant())
    type = in_.program.constants[given.as_constant()].type;
  else if (!given.is_value())
    return true;
  else
    type = f.is_parameter(given.as_value()) ? f.parameters[given.index()]
                                            : f.instructions[f.definition(given.as_value())].type;
  const Type& wanted = in_.program.types[callee.parameters[index]];
  return type && in_.program.types[type].kind == wanted.kind && in_.program.types[type].value_bits == wanted.value_bits;
}

/// What the callee asks for.
void GuardedAccesses::note_arguments(const BoundCall& bound, SummaryCall& call) {
  for (std::uint32_t i = 0; i < bound.arguments.size() && i < Condition::most; ++i) {
    if ((bound.summary->asked >> i & 1) == 0 || !fits_parameter(bound, i)) continue;
    SymbolicValue given = names_.value_of(bound.arguments[i]);
    if (given.is_unknown())
      if (const std::uint32_t ours = number_parameter(in_.program, body_.function, bound.arguments[i], false);
          ours != no_parameter)
        given = SymbolicValue::parameter(ours);
    if (!given.is_unknown()) call.arguments.emplace_back(i, given);
  }
}

void GuardedAccesses::note_spawns(const SymbolicEvent& event, const LockState& before) {
  for (; next_spawn_ < spawns.size() && spawns[next_spawn_].instruction == event.at.instruction; ++next_spawn_) {
    std::uint32_t& threads = spawns[next_spawn_].threads;
    threads = threads == 0 ? before.threads : flow_.threads().join(threads, before.threads);
  }
}

/// Those of an event that is not reached.
void GuardedAccesses::skip_spawns(const SymbolicEvent& event) {
  for (; next_spawn_ < spawns.size() && spawns[next_spawn_].instruction == event.at.instruction; ++next_spawn_)
    if (!has_variants_) spawns[next_spawn_].entry = {};
}

OpenGroup& GuardedAccesses::group_of(NodeId node, const LockState& state, bool after_publication, Condition when) {
  HistoryTable& histories = flow_.histories();
  OpenGroup wanted{.group = {.node = node,
                             .lockset = state.lockset,
                             .history = state.history,
                             .threads = state.threads,
                             .after_publication = after_publication,
                             .is_variant = has_variants_,
                             .when = when},
                   .rows = histories.rows_of(state.history)};
  slots_.make_room(groups.size(), [&](std::uint32_t number) {
    const OpenGroup& one = groups[number - 1];
    return hash_of(one.group, one.rows);
  });
  std::uint32_t& slot = slots_.find(hash_of(wanted.group, wanted.rows), [&](std::uint32_t number) {
    const auto& [group, rows, own_rows, inherited_rows] = groups[number - 1];
    return group.node == node && group.lockset == state.lockset && rows == wanted.rows &&
           group.threads == state.threads && group.after_publication == after_publication && group.when == when;
  });
  if (slot == 0) {
    groups.push_back(wanted);
    slot = static_cast<std::uint32_t>(groups.size());
  }
  OpenGroup& known = groups[slot - 1];
  known.group.history = histories.join(known.group.history, state.history);
  return known;
}

/// The callee's groups that depend on its parameters, in our terms.
void GuardedAccesses::take_over(std::uint32_t index, const LockState& state, std::uint32_t position, Condition when) {
  const BoundCall& call = done_.calls[index];
  if (!call.is_bound || !call.hands_on) return;
  const FunctionSummary& callee = *call.summary;
  const Publication& publication = done_.publication;
  for (std::uint32_t i = 0; i < callee.dependent; ++i) {
    const AccessGroup& theirs = callee.groups[i];
    Lvalue at = call.names[theirs.node.index()];
    if (BoundCall::has_no_name(at)) at = {names_.some_object(callee.nodes[theirs.node.index()].type), 0};
    const std::optional<Condition> condition = bound_condition(call, theirs.when, when);
    if (!at.valid() || !condition) continue;
    const bool is_private = publication.is_private(at.node, position);
    if (is_private && (!theirs.after_publication || !publication.is_ever_published(at.node))) continue;
    const Node& node = names_.nodes()[at.node];
    if (node.kind == NodeKind::Global && in_.program.globals[GlobalId(node.index)].is_thread_local &&
        !in_.pointed_to[node.index])
      continue;
    LockState there = state;
    there.lockset = flow_.locksets().after_call(index, state.lockset, theirs.lockset);
    there.history = flow_.histories().after_call(index, state.history, state.lockset, theirs.history, there.lockset);
    there.threads = flow_.threads().after_call(call, state.threads, theirs.threads);
    const bool is_known = theirs.after_publication || publication.is_published(at.node, position);
    OpenGroup& ours = group_of(at.node, there, is_known, *condition);
    ours.group.written.add(theirs.written.moved(at.offset));
    const InheritedAccesses row{call.instruction, call.callee, theirs.name, at.offset};
    const bool is_listed = inherited.any_of(ours.inherited, [&](const InheritedAccesses& r) {
      return r.callee == row.callee && r.group == row.group && r.offset == row.offset;
    });
    if (!is_listed) inherited.append(ours.inherited, row);
  }
}

/// What a group of a callee says of its parameter, said of ours: none if it cannot be so at this call.
std::optional<Condition> GuardedAccesses::bound_condition(const BoundCall& call, Condition when, Condition here) {
  if (when.is_always()) return here;
  const Function& f = body_.function;
  if (when.parameter() >= call.arguments.size()) return here;
  const Operand argument = call.arguments[when.parameter()];
  if (when.asks_for_value()) {
    if (!fits_parameter(call, when.parameter())) return here;
    if (!when.may_hold_for(names_.value_of(argument))) return std::nullopt;
    if (!here.is_always()) return here;
    const bool is_code = when.kind() == Condition::Kind::IsCode;
    const std::uint32_t ours =
        is_code ? names_.code_parameter(argument) : number_parameter(in_.program, f, argument, when.number() == 0);
    return ours == no_parameter ? here : when.moved_to(ours);
  }
  if (const ResultSign known = sign_of(names_, argument); known != ResultSign::Always)
    return (known == ResultSign::Zero) == when.wants_zero() ? std::optional(here) : std::nullopt;
  const Operand given = before_casts(in_.program, f, argument);
  if (!here.is_always() || !given.is_value() || !f.is_parameter(given.as_value())) return here;
  return Condition::if_zero(given.index(), when.wants_zero());
}

}  // namespace heddle::scan
