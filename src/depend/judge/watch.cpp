// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/watch.h"

#include <algorithm>

namespace heddle::depend {
namespace {

std::uint32_t line_at(const Program& program, FunctionId function, std::size_t instruction) {
  const LocationId at = program.functions[function].instructions[instruction].location;
  return at ? program.locations[at].line : 0;
}

bool overlap(const Board::Seen& a, std::uint64_t begin, std::uint64_t end) {
  return a.address < end && begin < a.address + a.size;
}

}  // namespace

Watch::Watch(Setting& setting, const Triple& triple)
    : setting_(setting), is_pair_(triple.first.variable != triple.second.variable) {
  const auto wanted = [&](const Access& access, bool writes) {
    return Wanted{access.variable, line_at(setting.program, access.function, access.instruction), writes};
  };
  first_ = wanted(triple.first, triple.first_writes);
  between_ = wanted(triple.between, triple.between_writes);
  second_ = wanted(triple.second, triple.second_writes);
}

const Board::Seen* Watch::find(const Board& board, const Wanted& wanted) const {
  for (const Board::Seen& seen : board.seen())
    if (seen.variable == wanted.variable && seen.writes == wanted.writes &&
        line_at(setting_.program, board.before().function, board.before().instruction) == wanted.line)
      return &seen;
  return nullptr;
}

void Watch::look(const Board& board) {
  state_.asks = false;
  const Board::Seen* seen = nullptr;
  switch (state_.phase) {
    case Phase::Waits: state_.asks = find(board, first_) != nullptr; return;
    case Phase::Happened:
    case Phase::Lost: return;
    case Phase::First:
    case Phase::Disturbed: break;
  }
  if (!board.is_under_way(state_.place)) {
    state_.phase = Phase::Lost;
    return;
  }
  if (board.place() == state_.place) {
    if (state_.phase == Phase::Disturbed && (seen = find(board, second_)) != nullptr && is_disturbed(*seen) &&
        is_same_round(board)) {
      state_.second = {*seen, board.entry_at(board.place())};
      state_.phase = Phase::Happened;
      return;
    }
    look_at_loops(board);
    return;
  }
  seen = find(board, between_);
  const std::size_t other = board.entry_at(board.place());
  if (seen == nullptr || !setting_.system.can_interrupt(other, state_.first.entry)) return;
  const Board::Seen& first = state_.first.seen;
  const bool meets_first = overlap(*seen, first.address, first.address + first.size);
  if (!is_pair_ && !meets_first) return;
  state_.is_any = state_.is_any || (is_pair_ && meets_first);
  const std::pair<std::uint64_t, std::uint64_t> bytes{seen->address, seen->address + seen->size};
  if (std::ranges::find(state_.disturbed, bytes) == state_.disturbed.end()) state_.disturbed.push_back(bytes);
  state_.between = {*seen, other};
  state_.phase = Phase::Disturbed;
}

bool Watch::is_disturbed(const Board::Seen& second) const {
  if (is_pair_ && state_.is_any) return true;
  const Board::Seen& first = state_.first.seen;
  if (!is_pair_ && !overlap(second, first.address, first.address + first.size)) return false;
  return std::ranges::any_of(state_.disturbed,
                             [&](const auto& bytes) { return overlap(second, bytes.first, bytes.second); });
}

void Watch::take(const Board& board, bool is_first) {
  state_.asks = false;
  if (!is_first) return;
  const Board::Seen* seen = find(board, first_);
  if (seen == nullptr || !board.is_under_way(board.place())) {
    state_.phase = Phase::Lost;
    return;
  }
  state_.phase = Phase::First;
  state_.first = {*seen, board.entry_at(board.place())};
  state_.place = board.place();
  state_.path.clear();
  for (const Board::Point& frame : board.frames_of(board.place())) state_.path.push_back(frame.instruction);
  state_.path.resize(board.before().depth);  // a call that copies is not in what it calls
  state_.path.back() = board.before().instruction;
  state_.common = state_.path.size();
}

/// Which loops of the innermost frame that has been there all the time have gone round.
void Watch::look_at_loops(const Board& board) {
  const Board::Point after = board.point_of(state_.place);
  if (after.depth < state_.common) {
    state_.common = after.depth;
    state_.rounds.clear();
  }
  if (after.depth != state_.common || board.before().depth != after.depth || !after.function.valid()) return;
  if (!setting_.loops.goes_round(after.function, board.before().instruction, after.instruction)) return;
  if (!setting_.loops.holds(after.function, after.instruction, state_.path[state_.common - 1])) return;
  if (std::ranges::find(state_.rounds, after.instruction) == state_.rounds.end())
    state_.rounds.push_back(after.instruction);
}

bool Watch::is_same_round(const Board& board) const {
  if (state_.rounds.empty()) return true;
  const std::vector<Board::Point> frames = board.frames_of(state_.place);
  const Board::Point& common = frames[state_.common - 1];
  const bool is_innermost = board.before().depth == state_.common;
  const std::uint32_t at = is_innermost ? board.before().instruction : common.instruction;
  return std::ranges::none_of(state_.rounds,
                              [&](std::uint32_t head) { return setting_.loops.holds(common.function, head, at); });
}

void Watch::add_to(Hasher& hasher) const {
  hasher.add(static_cast<std::uint64_t>(state_.phase));
  if (state_.phase != Phase::First && state_.phase != Phase::Disturbed) return;
  hasher.add(state_.place).add(state_.first.seen.address).add(state_.first.seen.size).add(state_.common);
  hasher.add(state_.path[state_.common - 1]).add(state_.is_any ? 1 : 0);
  for (std::size_t i = 0; i < state_.common; ++i) hasher.add(state_.path[i]);
  for (const std::uint32_t head : state_.rounds) hasher.add(head);
  hasher.add(state_.disturbed.size());
  for (const auto& [begin, end] : state_.disturbed) hasher.add(begin).add(end);
}

}  // namespace heddle::depend
