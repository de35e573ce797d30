// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/watch.h"

#include <algorithm>

namespace heddle::depend {
namespace {

std::uint64_t end_of(const Board::Seen& seen) { return seen.address + seen.size; }

bool overlap(const Board::Seen& a, std::uint64_t begin, std::uint64_t end) {
  return a.address < end && begin < a.address + a.size;
}

}  // namespace

std::uint32_t line_at(const Program& program, const Board::Point& point) {
  if (!point.function.valid()) return 0;
  return line_of(program, point.function, point.instruction);
}

Watch::Watch(Setting& setting, const Triple& triple)
    : setting_(setting), variables_{triple.first.variable}, is_pair_(triple.first.variable != triple.second.variable) {
  const auto wanted = [&](const Access& access, bool writes) {
    return Wanted{line_of(setting.program, access.function, access.instruction), writes};
  };
  first_ = wanted(triple.first, triple.first_writes);
  between_ = wanted(triple.between, triple.between_writes);
  second_ = wanted(triple.second, triple.second_writes);
  is_one_line_ = !is_pair_ && first_.line == second_.line && first_.writes == second_.writes;
  if (!is_pair_) return;
  variables_.push_back(triple.second.variable);
  for (const std::vector<NamedVariable>& group : setting.system.redundant()) {
    const auto has = [&](GlobalId variable) {
      return std::ranges::find(group, variable, &NamedVariable::global) != group.end();
    };
    if (!has(triple.first.variable) || !has(triple.second.variable)) continue;
    for (const NamedVariable& one : group) variables_.push_back(one.global);
  }
}

std::vector<Board::Seen> Watch::find(const Board& board, const Wanted& wanted) const {
  std::vector<Board::Seen> found;
  for (const Board::Seen& seen : board.seen())
    if (seen.writes == wanted.writes && std::ranges::find(variables_, seen.variable) != variables_.end() &&
        line_at(setting_.program, board.before()) == wanted.line)
      found.push_back(seen);
  return found;
}

void Watch::look(const Board& board) {
  state_.asks = false;
  switch (state_.progress) {
    case Progress::Waits: state_.asks = !find(board, first_).empty(); return;
    case Progress::Happened:
    case Progress::Lost: return;
    case Progress::First:
    case Progress::Disturbed: break;
  }
  if (!board.is_under_way(state_.place))
    state_.progress = Progress::Lost;
  else if (board.place() == state_.place)
    look_at_run(board);
  else
    look_at_other(board);
}

void Watch::look_at_run(const Board& board) {
  if (state_.progress == Progress::Disturbed)
    for (const Board::Seen& seen : find(board, second_)) {
      const bool is_again = is_disturbed(seen) && is_same_round(board);
      if (!is_again && !is_rest(board, seen)) continue;
      state_.second = {seen, board.entry_at(board.place())};
      state_.progress = Progress::Happened;
      return;
    }
  const Board::Point& made = board.before();
  const Instruction& code = setting_.program.functions[made.function].instructions[made.instruction];
  // The members of a struct are copied one behind the other, with nothing but addresses and stores in between.
  state_.has_left = state_.has_left || state_.first.seen.part != Board::Part::All || made.depth != state_.path.size() ||
                    code.is_terminator() || code.is_call();
  look_at_loops(board);
}

/// With the first access it is one that is made in several steps.
bool Watch::is_rest(const Board& board, const Board::Seen& second) const {
  const Board::Seen& first = state_.first.seen;
  const Board::Point& made = board.before();
  const LocationId at = setting_.program.functions[made.function].instructions[made.instruction].location;
  if (!is_one_line_ || state_.has_left || at != state_.location || overlap(second, first.address, end_of(first)))
    return false;
  const std::uint64_t begin = std::min(first.address, second.address), end = std::max(end_of(first), end_of(second));
  return std::ranges::any_of(state_.disturbed,
                             [&](const auto& bytes) { return bytes.first < end && begin < bytes.second; });
}

void Watch::look_at_other(const Board& board) {
  const std::size_t other = board.entry_at(board.place());
  if (!setting_.system.can_interrupt(other, state_.first.entry)) return;
  const Board::Seen& first = state_.first.seen;
  for (const Board::Seen& seen : find(board, between_)) {
    const bool meets_first = overlap(seen, first.address, end_of(first) + first.behind);
    if (!is_pair_ && !is_one_line_ && !meets_first) continue;  // of one line it may meet the rest
    state_.is_any = state_.is_any || meets_first;
    const std::pair<std::uint64_t, std::uint64_t> bytes{seen.address, seen.address + seen.size};
    if (std::ranges::find(state_.disturbed, bytes) == state_.disturbed.end()) state_.disturbed.push_back(bytes);
    state_.between = {seen, other};
    state_.progress = Progress::Disturbed;
  }
}

bool Watch::is_disturbed(const Board::Seen& second) const {
  const Board::Seen& first = state_.first.seen;
  if (is_pair_ && second.variable == first.variable) return false;
  if (is_pair_ && state_.is_any) return true;
  if (!is_pair_ && !overlap(second, first.address, first.address + first.size)) return false;
  return std::ranges::any_of(state_.disturbed,
                             [&](const auto& bytes) { return overlap(second, bytes.first, bytes.second); });
}

void Watch::take(const Board& board, bool is_first) {
  state_.asks = false;
  if (!is_first) return;
  const std::vector<Board::Seen> found = find(board, first_);
  if (found.empty() || !board.is_under_way(board.place())) {
    state_.progress = Progress::Lost;
    return;
  }
  state_.progress = Progress::First;
  state_.has_left = false;
  state_.first = {found.front(), board.entry_at(board.place())};
  for (const Board::Seen& seen : found) {  // of one instruction: all that lies between them counts too
    Board::Seen& all = state_.first.seen;
    const std::uint64_t end = std::max(all.address + all.size, seen.address + seen.size);
    all.address = std::min(all.address, seen.address);
    all.size = end - all.address;
  }
  state_.place = board.place();
  state_.path.clear();
  for (const Board::Point& frame : board.frames_of(board.place())) state_.path.push_back(frame.instruction);
  state_.path.resize(board.before().depth);  // a call that copies is not in what it calls
  state_.path.back() = board.before().instruction;
  state_.common = state_.path.size();
  state_.location =
      setting_.program.functions[board.before().function].instructions[board.before().instruction].location;
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
  if (!setting_.loops.is_service(after.function, after.instruction)) return;
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
  hasher.add(static_cast<std::uint64_t>(state_.progress));
  if (state_.progress != Progress::First && state_.progress != Progress::Disturbed) return;
  hasher.add(state_.place).add(state_.first.seen.address).add(state_.first.seen.size).add(state_.common);
  hasher.add(state_.path[state_.common - 1]).add(state_.is_any ? 1 : 0).add(state_.has_left ? 1 : 0);
  for (std::size_t i = 0; i < state_.common; ++i) hasher.add(state_.path[i]);
  for (const std::uint32_t head : state_.rounds) hasher.add(head);
  hasher.add(state_.disturbed.size());
  for (const auto& [begin, end] : state_.disturbed) hasher.add(begin).add(end);
}

}  // namespace heddle::depend
