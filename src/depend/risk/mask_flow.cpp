// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/mask_flow.h"

#include <algorithm>
#include <deque>

#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

/// Of a step that may end locks too.
constexpr std::uint32_t every_mask = ~std::uint32_t{0} - 1;

/// What both have, in the order of the first.
Masks common(const Masks& a, const Masks& b) {
  Masks rest = b, out;
  for (const MaskStep& one : a) {
    const auto at = std::ranges::find_if(rest, [&](const MaskStep& other) { return is_same_mask(one, other); });
    if (at == rest.end()) continue;
    out.push_back(one);
    for (const std::int64_t number : at->except)
      if (std::ranges::find(one.except, number) == one.except.end()) out.back().except.push_back(number);
    rest.erase(at);
  }
  return out;
}

/// True if `into` changed.
bool meet(MaskChange& into, const MaskChange& other) {
  bool changed = false;
  for (const MaskStep& end : other.ends)
    if (std::ranges::find(into.ends, end) == into.ends.end()) {
      into.ends.push_back(end);
      changed = true;
    }
  Masks both = common(into.begun, other.begun);
  changed = changed || both != into.begun;
  into.begun = std::move(both);
  return changed;
}

void add_end(MaskChange& change, const MaskStep& end) {
  // What began here and ends here is nobody else's affair.
  const std::size_t before = change.begun.size();
  end_mask(change.begun, end);
  if (end.step == MaskStep::Step::Restore && change.begun.size() < before) return;
  if (std::ranges::find(change.ends, end) == change.ends.end()) change.ends.push_back(end);
}

Masks applied(Masks masks, const MaskChange& change) {
  for (const MaskStep& end : change.ends) end_mask(masks, end);
  masks.insert(masks.end(), change.begun.begin(), change.begun.end());
  return masks;
}

MaskStep end_of_everything() {
  MaskStep end;
  end.step = MaskStep::Step::End;
  end.of = MaskStep::Of::Unknown;
  end.mask = every_mask;
  return end;
}

/// Like `cli`, and told from it by its name.
MaskStep start_mask() {
  MaskStep start;
  start.section = "start";
  return start;
}

}  // namespace

bool is_same_mask(const MaskStep& a, const MaskStep& b) {
  MaskStep one = a, other = b;
  one.except.clear();
  other.except.clear();
  return one == other;
}

void end_mask(Masks& masks, const MaskStep& end) {
  const auto is_meant = [&](const MaskStep& begun) {
    if (end.of == MaskStep::Of::Unknown) return begun.of != MaskStep::Of::Lock || end.mask == every_mask;
    if (end.of == MaskStep::Of::Lock)
      return begun.of == MaskStep::Of::Lock && (end.number == MaskStep::any_lock || end.number == begun.number);
    // What masks all, a critical section too, may be done by one flag, whatever the functions are called.
    if (end.of == MaskStep::Of::Everything && begun.of == MaskStep::Of::Everything) return true;
    if (begun.mask != end.mask) return false;
    return end.of != MaskStep::Of::Interrupt || begun.of != MaskStep::Of::Interrupt || begun.number == end.number;
  };
  if (end.of == MaskStep::Of::Interrupt)
    for (MaskStep& begun : masks)
      if (is_meant(begun) && begun.of == MaskStep::Of::Everything &&
          std::ranges::find(begun.except, end.number) == begun.except.end())
        begun.except.push_back(end.number);
  const auto is_over = [&](const MaskStep& begun) {
    return is_meant(begun) && (end.of != MaskStep::Of::Interrupt || begun.of != MaskStep::Of::Everything);
  };
  if (end.step == MaskStep::Step::End || end.of == MaskStep::Of::Unknown) {
    std::erase_if(masks, is_over);
    return;
  }
  const auto last = std::ranges::find_if(masks.rbegin(), masks.rend(), is_over);
  if (last != masks.rend()) masks.erase(std::next(last).base());
}

MaskFlow::MaskFlow(const Program& program, const System& system, const CallGraph& calls, LockSteps& locks)
    : program_(program), system_(system), calls_(calls), locks_(locks) {
  for (std::size_t f = 0; f < program.functions.size() && !has_masks_; ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (std::size_t i = 0; i < function.instructions.size() && !has_masks_; ++i)
      has_masks_ = step_of(FunctionId(f), i).has_value();
    for (std::size_t b = 0; b < function.blocks.size() && !has_masks_; ++b)
      for (const BlockId next : calls.cfg(FunctionId(f)).successors[b])
        has_masks_ = has_masks_ || locks_.of_edge(FunctionId(f), BlockId(b), next).has_value();
  }
}

std::optional<MaskStep> MaskFlow::step_of(FunctionId id, std::size_t instruction) {
  const Function& function = program_.functions[id];
  if (auto step = system_.mask_step(function, function.instructions[instruction])) return step;
  return locks_.of_call(id, instruction);
}

void MaskFlow::step(FunctionId id, std::size_t instruction, MaskChange& change) {
  if (const auto step = step_of(id, instruction)) {
    if (step->step == MaskStep::Step::Begin)
      change.begun.push_back(*step);
    else
      add_end(change, *step);
    return;
  }
  const std::vector<FunctionId>& targets = calls_.targets(id, instruction);
  State behind;
  const auto& outside = calls_.outside_targets(id, instruction);
  if (!outside.empty() || calls_back(id, instruction)) behind = change;
  for (const FunctionId target : outside) meet(*behind, behind_named(target, change));
  for (const FunctionId target : targets) {
    MaskChange one = change;
    if (system_.mask_step(target)) {  // through a pointer
      one = behind_named(target, change);
    } else if (std::ranges::find(under_way_, target) != under_way_.end()) {
      add_end(one, end_of_everything());
    } else {
      const MaskChange whole = relative(target).whole;
      for (const MaskStep& end : whole.ends) add_end(one, called(end, id, instruction));
      for (const MaskStep& begun : whole.begun) one.begun.push_back(called(begun, id, instruction));
    }
    if (behind)
      meet(*behind, one);
    else
      behind = std::move(one);
  }
  if (behind) change = std::move(*behind);
}

/// A function of a library, which may or may not call what it is given.
bool MaskFlow::calls_back(FunctionId id, std::size_t instruction) const {
  const Function& function = program_.functions[id];
  const Instruction& code = function.instructions[instruction];
  const Operand callee = code.is_call() ? function.operands_of(code)[0] : Operand();
  return callee.is_function() && !program_.functions[callee.as_function()].has_body();
}

/// Behind a call through a pointer: what begins so is not relied on.
MaskChange MaskFlow::behind_named(FunctionId target, MaskChange change) const {
  const auto step = system_.mask_step(target);
  if (step && step->step != MaskStep::Step::Begin) add_end(change, *step);
  return change;
}

/// A step of the called function, as the caller sees it.
MaskStep MaskFlow::called(MaskStep step, FunctionId id, std::size_t call) const {
  if (!step.parameter) return step;
  const Function& caller = program_.functions[id];
  const auto arguments = caller.arguments_of(caller.instructions[call]);
  const std::size_t which = *step.parameter;
  step.parameter.reset();
  if (which >= arguments.size()) return step;
  if (const auto number = constant_number(program_, caller, arguments[which])) return with_number(step, *number);
  const Operand argument = without_casts(caller, arguments[which]);
  if (argument.is_value() && caller.is_parameter(argument.as_value()))
    step.parameter = static_cast<std::uint32_t>(argument.as_value().index());
  return step;
}

const MaskFlow::Relative& MaskFlow::relative(FunctionId function) {
  const auto known = relative_.find(function);
  if (known != relative_.end()) return known->second;
  under_way_.push_back(function);
  Relative found;
  settle(function, found);
  under_way_.pop_back();
  return relative_.emplace(function, std::move(found)).first->second;
}

void MaskFlow::settle(FunctionId id, Relative& found) {
  const Function& function = program_.functions[id];
  const flow::Cfg& cfg = calls_.cfg(id);
  found.blocks.assign(function.blocks.size(), std::nullopt);
  found.blocks[0] = MaskChange{};
  State end;
  MaskChange anywhere;
  std::deque<BlockId> todo{BlockId(0)};
  while (!todo.empty()) {
    const BlockId block = todo.front();
    todo.pop_front();
    MaskChange change = *found.blocks[block.index()];
    const Block& code = function.blocks[block.index()];
    for (std::size_t i = code.first; i < code.first + code.count; ++i) step(id, i, change);
    meet(anywhere, {change.ends, {}});
    if (cfg.successors[block.index()].empty()) {
      if (end)
        meet(*end, change);
      else
        end = change;
    }
    for (const BlockId next : cfg.successors[block.index()]) {
      State& there = found.blocks[next.index()];
      MaskChange taken = change;
      if (const auto lock = locks_.of_edge(id, block, next)) taken.begun.push_back(*lock);
      const bool changed = there ? meet(*there, taken) : (there = taken, true);
      if (changed && std::ranges::find(todo, next) == todo.end()) todo.push_back(next);
    }
  }
  // A task that never returns hands over somewhere in its loop.
  found.whole = end ? std::move(*end) : std::move(anywhere);
}

MaskChange MaskFlow::change_at(FunctionId id, std::size_t instruction) {
  const Function& function = program_.functions[id];
  const BlockId block = calls_.block_of(id, instruction);
  const State& begin = relative(id).blocks[block.index()];
  MaskChange change = begin.value_or(MaskChange{});
  under_way_.push_back(id);
  for (std::size_t i = function.blocks[block.index()].first; i < instruction; ++i) step(id, i, change);
  under_way_.pop_back();
  return change;
}

const std::map<FunctionId, Masks>& MaskFlow::beginnings(FunctionId entry) {
  const auto known = beginnings_.find(entry);
  if (known != beginnings_.end()) return known->second;
  std::map<FunctionId, Masks>& found = beginnings_[entry];
  found[entry] = masks_at_start(entry);
  std::deque<FunctionId> todo{entry};
  while (!todo.empty()) {
    const FunctionId here = todo.front();
    todo.pop_front();
    const Function& function = program_.functions[here];
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      if (!function.instructions[i].is_call()) continue;
      for (const FunctionId target : calls_.targets(here, i)) {
        const Masks now = applied(found[here], change_at(here, i));
        const auto [at, is_new] = found.try_emplace(target, now);
        Masks both = is_new ? now : common(at->second, now);
        const bool changed = is_new || both != at->second;
        at->second = std::move(both);
        if (changed && std::ranges::find(todo, target) == todo.end()) todo.push_back(target);
      }
    }
  }
  return found;
}

const Masks& MaskFlow::at(FunctionId entry, FunctionId function, std::size_t instruction) {
  const auto [at, is_new] = at_.try_emplace({entry, function, instruction});
  if (!is_new || !has_masks_) return at->second;
  const auto& begins = beginnings(entry);
  const auto found = begins.find(function);
  if (found != begins.end()) at->second = applied(found->second, change_at(function, instruction));
  return at->second;
}

const std::vector<MaskStep>& MaskFlow::ends_of(FunctionId id) { return relative(id).whole.ends; }

Masks MaskFlow::masks_at_start(FunctionId entry) {
  if (!system_.enters_masked(entry)) return {};
  // Who never lets interrupts in leaves that to somebody who is not seen. A main that does not end says nothing at its
  // end, so all that it leads to is looked at.
  const std::vector<bool> reached = calls_.reached_from(entry);
  for (std::size_t f = 0; f < program_.functions.size(); ++f)
    for (const Instruction& code : program_.functions[FunctionId(f)].instructions)
      if (const auto step = reached[f] ? system_.mask_step(program_.functions[FunctionId(f)], code) : std::nullopt)
        if (step->step == MaskStep::Step::End && step->mask == start_mask().mask) return {start_mask()};
  return {};
}

bool MaskFlow::is_start_up(FunctionId entry, FunctionId function, std::size_t instruction) {
  if (!has_masks_ || !system_.starts_masked(entry)) return false;
  const Masks held = at(entry, function, instruction);
  return std::ranges::find(held, start_mask()) != held.end();
}

const MaskFlow::Ends& MaskFlow::ends_in(FunctionId id) {
  const auto [at, is_new] = ends_.try_emplace(id);
  if (!is_new || !has_masks_) return at->second;
  for (std::size_t i = 0; i < program_.functions[id].instructions.size(); ++i) {
    MaskChange change;
    step(id, i, change);
    if (!change.ends.empty()) at->second.emplace_back(i, std::move(change.ends));
  }
  return at->second;
}

}  // namespace heddle::depend
