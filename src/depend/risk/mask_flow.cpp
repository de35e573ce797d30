// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/mask_flow.h"

#include <algorithm>
#include <deque>

namespace heddle::depend {
namespace {

/// What both have, in the order of the first.
Masks common(const Masks& a, const Masks& b) {
  Masks rest = b, out;
  for (const MaskStep& one : a) {
    const auto at = std::ranges::find(rest, one);
    if (at == rest.end()) continue;
    out.push_back(one);
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
  changed = changed || both.size() != into.begun.size();
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
  return end;
}

/// Like `cli`, and told from it by its name.
MaskStep start_mask() {
  MaskStep start;
  start.section = "start";
  return start;
}

}  // namespace

void end_mask(Masks& masks, const MaskStep& end) {
  const auto is_meant = [&](const MaskStep& begun) {
    if (end.of == MaskStep::Of::Unknown) return true;
    if (begun.mask != end.mask) return false;
    return end.of != MaskStep::Of::Interrupt || begun.of != MaskStep::Of::Interrupt || begun.number == end.number;
  };
  if (end.step == MaskStep::Step::End || end.of == MaskStep::Of::Unknown) {
    std::erase_if(masks, is_meant);
    return;
  }
  const auto last = std::ranges::find_if(masks.rbegin(), masks.rend(), is_meant);
  if (last != masks.rend()) masks.erase(std::next(last).base());
}

MaskFlow::MaskFlow(const Program& program, const System& system, const CallGraph& calls)
    : program_(program), system_(system), calls_(calls) {
  for (const Function& function : program.functions)
    for (const Instruction& code : function.instructions)
      has_masks_ = has_masks_ || system.mask_step(function, code).has_value();
}

void MaskFlow::step(FunctionId id, std::size_t instruction, MaskChange& change) {
  const Function& function = program_.functions[id];
  if (const auto step = system_.mask_step(function, function.instructions[instruction])) {
    if (step->step == MaskStep::Step::Begin)
      change.begun.push_back(*step);
    else
      add_end(change, *step);
    return;
  }
  const std::vector<FunctionId>& targets = calls_.targets(id, instruction);
  if (targets.empty()) return;
  State behind;
  for (const FunctionId target : targets) {
    MaskChange one = change;
    if (std::ranges::find(under_way_, target) != under_way_.end()) {
      add_end(one, end_of_everything());
    } else {
      const MaskChange whole = relative(target).whole;
      for (const MaskStep& end : whole.ends) add_end(one, end);
      one.begun.insert(one.begun.end(), whole.begun.begin(), whole.begun.end());
    }
    if (behind)
      meet(*behind, one);
    else
      behind = std::move(one);
  }
  change = std::move(*behind);
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
  std::deque<BlockId> todo{BlockId(0)};
  while (!todo.empty()) {
    const BlockId block = todo.front();
    todo.pop_front();
    MaskChange change = *found.blocks[block.index()];
    const Block& code = function.blocks[block.index()];
    for (std::size_t i = code.first; i < code.first + code.count; ++i) step(id, i, change);
    if (cfg.successors[block.index()].empty()) {
      if (end)
        meet(*end, change);
      else
        end = change;
    }
    for (const BlockId next : cfg.successors[block.index()]) {
      State& there = found.blocks[next.index()];
      const bool changed = there ? meet(*there, change) : (there = change, true);
      if (changed && std::ranges::find(todo, next) == todo.end()) todo.push_back(next);
    }
  }
  if (end) found.whole = std::move(*end);
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
        const bool changed = is_new || both.size() != at->second.size();
        at->second = std::move(both);
        if (changed && std::ranges::find(todo, target) == todo.end()) todo.push_back(target);
      }
    }
  }
  return found;
}

Masks MaskFlow::at(FunctionId entry, FunctionId function, std::size_t instruction) {
  if (!has_masks_) return {};
  const auto& begins = beginnings(entry);
  const auto found = begins.find(function);
  return found == begins.end() ? Masks{} : applied(found->second, change_at(function, instruction));
}

Masks MaskFlow::masks_at_start(FunctionId entry) {
  if (!system_.starts_masked(entry)) return {};
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

std::vector<MaskStep> MaskFlow::ends_of(FunctionId id, std::size_t instruction) {
  if (!has_masks_) return {};
  MaskChange change;
  step(id, instruction, change);
  return change.ends;
}

}  // namespace heddle::depend
