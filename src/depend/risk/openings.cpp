// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/openings.h"

#include <algorithm>
#include <set>

namespace heddle::depend {

bool Openings::is_kept_out(const Masks& masks, std::size_t interrupter) const {
  return std::ranges::any_of(masks, [&](const MaskStep& mask) { return system_.keeps_out(mask, interrupter); });
}

/// What is in force at the first access and does not end on the way.
Masks Openings::left_on(std::size_t entry, const Way& way, const Point& first, const Point& second) {
  Masks left = masks_.at(system_.entries()[entry].function, first.function, first.instruction);
  if (left.empty()) return left;
  const auto end_where = [&](FunctionId f, auto is_on_way) {
    for (const auto& [u, ends] : masks_.ends_in(f))
      if (is_on_way(u))
        for (const MaskStep& end : ends) end_mask(left, end);
  };
  const auto [function, p, q, rounds] = way;
  end_where(function,
            [&](std::size_t u) { return u != p && u != q && calls_.may_lie_between(function, p, u, q, rounds); });
  // In what the two calls lead to: behind the first access, before the second.
  if (function != first.function || p != first.instruction)
    end_where(first.function,
              [&](std::size_t u) { return calls_.may_follow(first.function, first.instruction, u, Rounds::Many); });
  if (function != second.function || q != second.instruction)
    end_where(second.function,
              [&](std::size_t u) { return calls_.may_follow(second.function, u, second.instruction, Rounds::Many); });
  return left;
}

/// Each round masks both at once: then a round is what belongs together.
bool Openings::is_masked_round(std::size_t entry, std::size_t interrupter, const Way& way, const Access& first,
                               const Access& second) {
  const FunctionId function = system_.entries()[entry].function;
  if (!is_kept_out(masks_.at(function, first.function, first.instruction), interrupter) ||
      !is_kept_out(masks_.at(function, second.function, second.instruction), interrupter))
    return false;
  const auto is_one_section = [&](const Way& round, const Access& one, const Access& other) {
    return calls_.may_follow(round.function, round.first, round.second) &&
           is_kept_out(left_on(entry, round, point_of(one), point_of(other)), interrupter);
  };
  return way.first == way.second || is_one_section({way.function, way.first, way.second}, first, second) ||
         is_one_section({way.function, way.second, way.first}, second, first);
}

Opening Openings::find(std::size_t entry, std::size_t interrupter, const Way& way, const Access& first,
                       const Access& second) {
  if (!masks_.has_masks()) return {true, {}, {}};
  const Masks left = left_on(entry, way, point_of(first), point_of(second));
  if (way.rounds == Rounds::Many && !is_kept_out(left, interrupter) &&
      is_masked_round(entry, interrupter, way, first, second))
    return {};
  Opening opening = lifted(entry, interrupter, left, point_of(first));
  std::ranges::copy_if(left, std::back_inserter(opening.locks), [&](const MaskStep& mask) {
    return mask.of == MaskStep::Of::Lock || (mask.is_section && system_.cores() > 1);
  });
  return opening;
}

std::optional<MaskStep> Openings::keeps_out(std::size_t entry, std::size_t interrupter, Point at) {
  const Masks held = in_force(entry, at);
  const auto holds = [&](const MaskStep& mask) {
    return system_.keeps_out(mask, interrupter) && !lifted(entry, interrupter, Masks{mask}, at).is_open;
  };
  const auto mask = std::ranges::find_if(held, holds);
  return mask == held.end() ? std::nullopt : std::optional(*mask);
}

bool Openings::allows(const Opening& opening, std::size_t interrupter, const Access& between) {
  if (opening.locks.empty()) return true;
  const Masks held = masks_.at(system_.entries()[interrupter].function, between.function, between.instruction);
  return std::ranges::none_of(opening.locks, [&](const MaskStep& lock) {
    return std::ranges::any_of(held, [&](const MaskStep& other) { return is_same_mask(lock, other); });
  });
}

/// Who another mask keeps out may have come before that one began: each has to hold by itself, or with those that were
/// in force when it began, and have been since.
Opening Openings::lifted(std::size_t entry, std::size_t interrupter, const Masks& held, const Point& at) {
  Opening all{true, {}, {}};
  bool is_known = true;
  for (const MaskStep& mask : held) {
    if (!system_.keeps_out(mask, interrupter)) continue;
    Masks together = older_at(entry, interrupter, at);
    together.push_back(mask);
    const Opening one = lifted(entry, interrupter, together);
    if (!one.is_open) return {};
    is_known = is_known && !one.lifters.empty();
    all.lifters.insert(all.lifters.end(), one.lifters.begin(), one.lifters.end());
  }
  if (!is_known) all.lifters.clear();
  return all;
}

/// Some way leads from where a mask begins to the point, and no step on it surely ends the mask.
bool Openings::may_stay(const Point& begin, const Point& at) const {
  const Function& function = program_.functions[at.function];
  const auto began = system_.mask_step(function, function.instructions[begin.instruction]);
  const auto ends_it = [&](std::size_t instruction) {
    const auto step = system_.mask_step(function, function.instructions[instruction]);
    if (!began || !step || step->step != MaskStep::Step::End || step->of == MaskStep::Of::Unknown) return false;
    Masks left{*began};
    end_mask(left, *step);
    return left.empty();
  };
  std::vector<std::size_t> todo{begin.instruction + 1};
  std::set<BlockId> seen;
  while (!todo.empty()) {
    std::size_t here = todo.back();
    todo.pop_back();
    const BlockId block = calls_.block_of(at.function, here);
    const std::size_t end = function.blocks[block.index()].first + function.blocks[block.index()].count;
    while (here < end && here != at.instruction && !ends_it(here)) ++here;
    if (here == at.instruction) return true;
    if (here < end) continue;
    for (const BlockId next : calls_.cfg(at.function).successors[block.index()])
      if (seen.insert(next).second) todo.push_back(function.blocks[next.index()].first);
  }
  return false;
}

/// Masks that were in force wherever the entry masks the other one, and from there on to the point.
const Masks& Openings::older_at(std::size_t entry, std::size_t interrupter, const Point& at) {
  const auto [known, is_new] = older_.try_emplace({entry, interrupter, at});
  if (is_new) known->second = find_older(entry, interrupter, at);
  return known->second;
}

Masks Openings::find_older(std::size_t entry, std::size_t interrupter, const Point& at) {
  std::optional<Masks> common;
  for (const Point& begin : steps(entry, interrupter, MaskStep::Step::Begin)) {
    if (begin.function != at.function) return {};
    if (!may_stay(begin, at)) continue;
    const Masks left = left_on(entry, {at.function, begin.instruction, at.instruction, Rounds::Many}, begin, at);
    if (!common) common = left;
    std::erase_if(*common, [&](const MaskStep& mask) { return std::ranges::find(left, mask) == left.end(); });
  }
  return common.value_or(Masks{});
}

Opening Openings::lifted(std::size_t entry, std::size_t interrupter, const Masks& held) {
  Masks state = held;
  std::vector<bool> came(system_.entries().size());
  Opening opening;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t j = 0; j < came.size(); ++j) {
      if (came[j] || j == interrupter || !system_.can_interrupt(j, entry) || is_kept_out(state, j)) continue;
      came[j] = changed = true;
      Masks alone = held;
      for (const MaskStep& end : masks_.ends_of(system_.entries()[j].function)) {
        end_mask(state, end);
        end_mask(alone, end);
      }
      if (!is_kept_out(alone, interrupter)) opening.lifters.push_back(lifter(entry, j, interrupter));
    }
  }
  opening.is_open = !is_kept_out(state, interrupter);
  if (!opening.is_open) opening.lifters.clear();
  return opening;
}

Lifter Openings::lifter(std::size_t entry, std::size_t by, std::size_t interrupter) {
  Lifter out{.entry = by, .ends = {}, .begins = steps(entry, interrupter, MaskStep::Step::Begin)};
  out.ends = steps(by, interrupter, MaskStep::Step::End);
  const FunctionId own = system_.entries()[by].function;
  if (std::ranges::any_of(out.ends, [&](const Point& end) { return end.function != own; })) out.ends.clear();
  return out;
}

/// Where a run of the entry masks the other one, or lets it in.
const std::vector<Point>& Openings::steps(std::size_t entry, std::size_t interrupter, MaskStep::Step wanted) {
  const auto [known, is_new] = steps_.try_emplace({entry, interrupter, wanted});
  std::vector<Point>& found = known->second;
  if (!is_new) return found;
  for (std::size_t f = 0; f < program_.functions.size(); ++f) {
    if (!reached_[entry][f]) continue;
    const Function& function = program_.functions[FunctionId(f)];
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      const auto step = system_.mask_step(function, function.instructions[i]);
      if (!step || (step->step == MaskStep::Step::Begin) != (wanted == MaskStep::Step::Begin)) continue;
      if (step->of == MaskStep::Of::Unknown || system_.keeps_out(*step, interrupter))
        found.push_back({FunctionId(f), i});
    }
  }
  return found;
}

}  // namespace heddle::depend
