// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/lock_flow.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "program/model/function_queries.h"

namespace heddle::scan {
namespace {

bool fits(std::int64_t number, ResultSign sign) {
  switch (sign) {
    case ResultSign::Always: return true;
    case ResultSign::Zero: return number == 0;
    case ResultSign::NonZero: return number != 0;
    case ResultSign::Negative: return number < 0;
    case ResultSign::NonNegative: return number >= 0;
    case ResultSign::Error: return SymbolicValue::is_error(number);
    case ResultSign::NotError: return !SymbolicValue::is_error(number);
  }
  return true;
}

}  // namespace

LockFlow::LockFlow(const ScanInput& input, const FunctionBody& body, ValueNames& names, Execution& done)
    : program_(input.program),
      body_(body),
      f_(body.function),
      names_(names),
      done_(done),
      threads_(input, body, names, done),
      locksets_(input, body, names, done),
      histories_(done, locksets_) {
  run();
}

void LockFlow::run() {
  const std::uint32_t blocks = body_.block_count();
  if (blocks == 0) {
    variants_.emplace_back();
    return;
  }
  if (done_.has_lock_events || done_.has_thread_events) split_ = find_split();
  if (split_ == LockState::none) return reach_states(variants_.emplace_back());
  variants_ = {{ResultSign::Zero, {}}, {ResultSign::NonZero, {}}};
  for (Variant& variant : variants_) reach_states(variant);
  auto& zero = variants_[0].entry;
  auto& other = variants_[1].entry;
  bool is_needed = false;
  for (std::uint32_t rank = 0; rank < blocks; ++rank)
    is_needed |= zero[rank].reached && other[rank].reached && (!zero[rank].is_like(other[rank]) || decides_[rank]);
  if (is_needed) return;
  for (std::uint32_t rank = 0; rank < blocks; ++rank)
    if (zero[rank].reached) merge(other[rank], zero[rank]);
  split_ = LockState::none;
  assumed_ = variants_[1].assumed = ResultSign::Always;
  variants_.erase(variants_.begin());
}

Condition LockFlow::condition_of(const Variant& variant) const {
  if (variant.assumed == ResultSign::Always || split_ >= f_.parameters.size()) return {};
  return Condition::if_zero(split_, variant.assumed == ResultSign::Zero);
}

void LockFlow::reach_states(Variant& variant) {
  std::vector<LockState>& entry = variant.entry;
  entry.assign(body_.block_count(), {});
  entry[0].reached = true;
  undecided_ = entry;
  look_at(variant);
  const bool has_ends = std::ranges::any_of(done_.calls, &BoundCall::never_returns);
  const bool is_trivial =
      !done_.has_lock_events && !done_.has_history_events && !done_.has_thread_events && !done_.may_spawn && !has_ends;
  bool changed = true;
  for (int round = 0; changed && round < 12; ++round) {
    changed = false;
    for (std::uint32_t rank = 0; rank < body_.block_count(); ++rank) {
      const LockState& start = undecided_[rank];
      if (!start.reached) continue;
      const LockState returned = is_trivial ? start : flow_block(rank, start);
      const auto& successors = body_.successors(rank);
      for (std::size_t way = 0; way < successors.size(); ++way) {
        const LockState exit = is_trivial || way == 0 ? returned : flow_to(rank, way, undecided_[rank]);
        if (exit.ended) continue;
        if (const auto edge = follow(variant, rank, way, exit))
          changed |= hand_on(variant, rank, body_.cfg.rank[successors[way].index()], *edge, entry);
      }
    }
  }
  if (changed)  // not all ways were looked at
    for (LockState& state : entry) state.history = 0;
}

/// A state on the way to a block, and on if that way leads through. Whether something has changed that was passed.
bool LockFlow::hand_on(const Variant& variant, std::uint32_t from, std::uint32_t rank, const LockState& edge,
                       std::vector<LockState>& entry) {
  std::uint32_t before = from, to = rank;
  LockState state = edge;
  bool changed = false;
  for (std::uint32_t steps = 0;; ++steps) {
    changed |= merge(entry[to], state, to <= before) && to <= from;
    const auto way = steps < body_.block_count() ? only_way(before, to) : std::nullopt;
    if (!way) break;
    const auto next = follow(variant, to, *way, flow_block(to, state));
    if (!next) return changed;
    state = *next;
    before = std::exchange(to, body_.cfg.rank[body_.successors(to)[*way].index()]);
  }
  return (merge(undecided_[to], state, to <= before) && to <= from) || changed;
}

/// The one way on from a block that does nothing but ask for a value which is a number if one comes from there.
std::optional<std::size_t> LockFlow::only_way(std::uint32_t from, std::uint32_t rank) const {
  const auto& test = done_.tests[rank];
  const auto [first, end] = done_.block_events[rank];
  if (!test || first != end || body_.successors(rank).size() != 2 || test->value < f_.parameters.size()) return {};
  const std::size_t at = f_.definition(ValueId(test->value));
  const Block& block = body_.block(rank);
  if (at < block.first || at >= block.first + block.count || f_.instructions[at].opcode != Opcode::Phi) return {};
  const auto operands = f_.operands_of(f_.instructions[at]);
  for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
    if (body_.cfg.rank[operands[k + 1].index()] != from) continue;
    const SymbolicValue value = names_.value_of(operands[k]);
    if (!value.is_number()) return {};
    const bool goes[] = {fits(value.number, test->on(0)), fits(value.number, test->on(1))};
    if (goes[0] == goes[1]) return {};
    return goes[0] ? 0 : 1;
  }
  return {};
}

std::optional<LockState> LockFlow::follow(const Variant& variant, std::uint32_t rank, std::size_t successor,
                                          const LockState& exit) {
  const auto& successors = body_.successors(rank);
  const bool is_branch = successors.size() == 2;
  if (is_branch && !may_go(variant, rank, successor)) return std::nullopt;
  LockState edge = exit;
  edge.reached = true;
  const auto& test = done_.tests[rank];
  if (is_branch && test && exit.pending != LockState::none &&
      f_.result_of(done_.events[exit.pending].at.instruction).index() == test->value)
    edge = refine(edge, test->on(successor));
  const std::uint32_t to = body_.cfg.rank[successors[successor].index()];
  edge.lockset = locksets_.cross(rank, to, edge.lockset);
  edge.history = histories_.cross(to, edge.history);
  edge.threads = threads_.across(rank, to, edge.threads);
  return edge;
}

/// Whether a branch can go that way, where the value is a number, or is assumed to be zero or not.
bool LockFlow::may_go(const Variant& variant, std::uint32_t rank, std::size_t successor) const {
  const auto& test = done_.tests[rank];
  if (!test) return true;
  const ResultSign sign = test->on(successor);
  if (test->value == split_) return sign == variant.assumed || sign > ResultSign::NonZero || sign == ResultSign::Always;
  const SymbolicValue& value = names_.value_of(ValueId(test->value));
  return !value.is_number() || fits(value.number, sign);
}

/// A value that branches and calls ask for, so that all go the same way: `if (need_lock) lock(); …; if (need_lock)
/// unlock();`. It has one content in a call: a parameter, or made outside of loops. Callers know what they pass, so a
/// parameter may be asked for once.
std::uint32_t LockFlow::find_split() {
  std::vector<std::uint32_t> asked;  // in the order of blocks
  for (std::uint32_t rank = 0; rank < body_.block_count(); ++rank) {
    const auto [first, end] = done_.block_events[rank];
    for (std::uint32_t e = first; e < end; ++e)
      if (done_.events[e].kind == SymbolicEvent::Kind::Call)
        asked.push_back(deciding_value(done_.calls[done_.events[e].call]));
    const auto& test = done_.tests[rank];
    if (test && test->asks_for_zero() && !names_.value_of(ValueId(test->value)).is_number())
      asked.push_back(test->value);
  }
  std::erase(asked, LockState::none);
  std::unordered_map<std::uint32_t, std::uint32_t> times;  // only looked up
  for (const std::uint32_t value : asked) ++times[value];
  std::uint32_t best = LockState::none;
  const auto rank_of = [&](std::uint32_t value) {
    const bool is_often = times.at(value) > 1, is_parameter = value < f_.parameters.size();
    if (is_parameter) return is_often ? 3 : 1;
    return is_often && !is_made_in_loop(value) ? 2 : 0;
  };
  int found = 0;
  for (const std::uint32_t value : asked)
    if (const int now = rank_of(value); now > found) {
      found = now;
      best = value;
    }
  decides_.assign(body_.block_count(), false);
  for (const BoundCall& call : done_.calls)
    if (best != LockState::none && deciding_value(call) == best) decides_[call.rank] = true;
  return best;
}

/// The value that a call asks for: what it does to locks depends on whether that is zero. None if it does not, or if
/// that is known.
std::uint32_t LockFlow::deciding_value(const BoundCall& call) const {
  const Condition when = call.summary->exit_when;
  if (!call.is_bound || when.is_always() || when.parameter() >= call.arguments.size()) return LockState::none;
  const Operand given = before_casts(program_, f_, call.arguments[when.parameter()]);
  return given.is_value() && sign_of(names_, given) == ResultSign::Always ? given.index() : LockState::none;
}

LockFlow::Exit LockFlow::exit_of(const BoundCall& call) const {
  const FunctionSummary& callee = *call.summary;
  const Condition when = callee.exit_when;
  const Exit any{callee.exit, callee.exit_histories.any};
  if (when.is_always() || when.parameter() >= call.arguments.size()) return any;
  ResultSign known = sign_of(names_, call.arguments[when.parameter()]);
  if (split_ != LockState::none && deciding_value(call) == split_) known = assumed_;
  if (known == ResultSign::Zero) return {callee.exit_if, callee.exit_histories.if_so};
  return known == ResultSign::NonZero ? Exit{callee.exit_else, callee.exit_histories.if_not} : any;
}

void LockFlow::return_from(std::uint32_t call, Exit theirs, LockState& state) {
  const std::uint32_t held = state.lockset;
  state.lockset = locksets_.after_call(call, held, theirs.lockset);
  state.history = histories_.after_call(call, state.history, held, theirs.history, state.lockset);
}

bool LockFlow::is_made_in_loop(std::uint32_t value) const {
  return body_.is_in_loop(body_.cfg.rank[block_of(f_, f_.definition(ValueId(value))).index()]);
}

LockState LockFlow::flow_block(std::uint32_t rank, const LockState& entry) {
  LockState state = enter(rank, entry);
  Alternatives alternatives;
  const auto [first, end] = done_.block_events[rank];
  for (std::uint32_t e = first; e < end; ++e) step(e, state, alternatives);
  return state;
}

LockState LockFlow::flow_to(std::uint32_t rank, std::size_t successor, const LockState& entry) {
  const Block& block = body_.block(rank);
  const std::uint32_t last = block.first + block.count - 1;
  if (successor == 0 || f_.instructions[last].opcode != Opcode::Invoke) return flow_block(rank, entry);
  LockState state = enter(rank, entry);
  Alternatives alternatives;
  const auto [first, end] = done_.block_events[rank];
  std::uint32_t e = first;
  for (; e < end && done_.events[e].at.instruction != last; ++e) step(e, state, alternatives);
  for (; e < end && !state.ended; ++e) leave_thrown(done_.events[e], state);
  return state;
}

/// The call at the event did not return. What it had done by then: as many locks as it may have given back, any of the
/// threads it starts, and none that it waits for.
void LockFlow::leave_thrown(const SymbolicEvent& event, LockState& state) {
  state.pending = LockState::none;
  if (event.kind == SymbolicEvent::Kind::Release) {
    give_back(event, state);
  } else if (event.kind == SymbolicEvent::Kind::Wait) {
    state.history = histories_.wait(state.history, state.lockset, event.where);
  } else if (event.kind == SymbolicEvent::Kind::Spawn) {
    state.threads = threads_.join(state.threads, threads_.after(event, state.threads));
  } else if (event.kind == SymbolicEvent::Kind::Call) {
    const BoundCall& call = done_.calls[event.call];
    return_from(event.call, {call.summary->exit_thrown, 0}, state);
    const std::uint32_t before = state.threads;
    for (std::uint32_t i = 0; i < std::max<std::size_t>(call.summary->thread_states.size(), 1); ++i)
      state.threads = threads_.join(state.threads, threads_.after_call(call, before, i));
  }
}

LockState LockFlow::enter(std::uint32_t rank, LockState state) {
  state.lockset = locksets_.enter(rank, state.lockset);
  state.history = histories_.enter(rank, state.history);
  return state;
}

void LockFlow::step(std::uint32_t number, LockState& state, Alternatives& alternatives) {
  const SymbolicEvent& event = done_.events[number];
  if (event.kind != SymbolicEvent::Kind::Call) return apply(number, state);
  const bool never_returns = done_.calls[event.call].never_returns();
  if (alternatives.instruction != event.at.instruction) {
    alternatives = {event.at.instruction, state};
    apply(number, state);
    state.ended = never_returns;
    return;
  }
  if (never_returns) return;
  LockState other = alternatives.first;
  apply(number, other);
  other.reached = state.reached = true;
  if (state.ended)
    state = other;
  else
    merge(state, other);
}

void LockFlow::take(const SymbolicEvent& event, LockState& state) {
  state.history = histories_.acquire(state.history, state.lockset, event.where, event.lock_mode());
  state.lockset = locksets_.acquire(state.lockset, event.where, event.lock_mode());
}

void LockFlow::give_back(const SymbolicEvent& event, LockState& state) {
  const std::uint32_t held = state.lockset;
  state.lockset = locksets_.release(held, event.where);
  state.history = histories_.release(state.history, held, event.where, state.lockset);
}

void LockFlow::apply(std::uint32_t number, LockState& state) {
  const SymbolicEvent& event = done_.events[number];
  switch (event.kind) {
    case SymbolicEvent::Kind::Acquire:
      if (event.sign != ResultSign::Always) {
        state.pending = number;
        state.before = state.lockset;
        state.known = ResultSign::Always;
        return;
      }
      take(event, state);
      state.pending = LockState::none;
      return;
    case SymbolicEvent::Kind::Release:
      give_back(event, state);
      state.pending = LockState::none;
      return;
    case SymbolicEvent::Kind::Wait: state.history = histories_.wait(state.history, state.lockset, event.where); return;
    case SymbolicEvent::Kind::Call: return apply_call(number, state);
    case SymbolicEvent::Kind::Spawn:
    case SymbolicEvent::Kind::Join:
    case SymbolicEvent::Kind::Move:
    case SymbolicEvent::Kind::Detach: state.threads = threads_.after(event, state.threads); return;
    case SymbolicEvent::Kind::Access: return;
  }
}

void LockFlow::apply_call(std::uint32_t number, LockState& state) {
  const std::uint32_t index = done_.events[number].call;
  const BoundCall& call = done_.calls[index];
  const FunctionSummary& callee = *call.summary;
  state.threads = threads_.after_call(call, state.threads, callee.exit_threads);
  const std::uint32_t before = state.lockset;
  if (!call.is_bound) {
    state.history = histories_.after_call(index, state.history, before, 0, before);
    return;
  }
  // An exception that goes on to our callers: for thrown().
  if (callee.exit_thrown != 0) (void)locksets_.after_call(index, before, callee.exit_thrown);
  return_from(index, exit_of(call), state);
  if (callee.splits_by_result) {
    state.pending = number;
    state.before = before;
    state.known = ResultSign::Always;
  } else if (state.lockset != before) {
    state.pending = LockState::none;
  }
}

LockState LockFlow::refine(const LockState& state, ResultSign sign) {
  LockState out = state;
  out.pending = LockState::none;
  const SymbolicEvent& event = done_.events[state.pending];
  if (event.kind == SymbolicEvent::Kind::Acquire) {
    const bool taken = sign == event.sign || (event.sign == ResultSign::NonNegative && sign == ResultSign::Zero);
    if (taken) take(event, out);
    return out;
  }
  const FunctionSummary& callee = *done_.calls[event.call].summary;
  out.lockset = lockset_if(state, sign).value_or(state.lockset);
  const bool tells_half = sign == ResultSign::NonZero || sign == ResultSign::NotError;
  if (tells_half && state.known == ResultSign::Always && callee.exit_valid != callee.exit_other) {
    out.pending = state.pending;
    out.known = sign;
  }
  out.history = histories_.now_held(state.history, state.before, out.lockset);
  return out;
}

/// The lockset behind the pending call, if its result is so; none if that says nothing.
std::optional<std::uint32_t> LockFlow::lockset_if(const LockState& state, ResultSign sign) {
  const std::uint32_t call = done_.events[state.pending].call;
  const FunctionSummary& callee = *done_.calls[call].summary;
  const auto after = [&](std::uint32_t exit) { return locksets_.after_call(call, state.before, exit); };
  switch (sign) {
    case ResultSign::Zero: return after(callee.exit_zero);
    case ResultSign::NonZero: return after(state.known == ResultSign::NotError ? callee.exit_valid : callee.exit_other);
    case ResultSign::Negative:
    case ResultSign::Error: return after(callee.exit_other);
    case ResultSign::NotError:
      return state.known == ResultSign::NonZero ? after(callee.exit_valid)
                                                : locksets_.join(after(callee.exit_zero), after(callee.exit_valid));
    case ResultSign::Always:
    case ResultSign::NonNegative: return std::nullopt;
  }
  return std::nullopt;
}

bool LockFlow::merge(LockState& into, const LockState& from, bool is_around_loop) {
  if (!into.reached) {
    into = from;
    into.reached = true;
    return true;
  }
  LockState out = into;
  out.lockset =
      is_around_loop ? locksets_.widen(into.lockset, from.lockset) : locksets_.join(into.lockset, from.lockset);
  out.history = histories_.join(into.history, from.history);
  if (out.pending != from.pending || out.before != from.before) out.pending = LockState::none;
  if (out.pending == LockState::none || out.known != from.known) out.known = ResultSign::Always;
  out.threads = threads_.join(into.threads, from.threads);
  if (out == into) return false;
  into = out;
  return true;
}

}  // namespace heddle::scan
