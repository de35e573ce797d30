// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/story.h"

#include <filesystem>

namespace heddle::depend {

std::string Story::name_of(const Board& board, std::uint32_t place) const {
  return "'" + setting_.system.name(board.entry_at(place)) + "'";
}

/// `task.c:50`
std::string Story::place_of(const Board::Point& point) const {
  if (!point.function.valid()) return "its end";
  const LocationId at = setting_.program.functions[point.function].instructions[point.instruction].location;
  if (!at) return "'" + std::string(setting_.program.functions[point.function].shown_name()) + "'";
  const Location& location = setting_.program.locations[at];
  const std::filesystem::path file(setting_.program.files[location.file].path);
  return file.filename().string() + ":" + std::to_string(location.line);
}

void Story::add(const Board& board, const Watch& watch, const Choice* choice) {
  if (choice != nullptr) add_choice(board, *choice);
  const Watch::State& now = watch.state();
  if (choice == nullptr && board.taken())
    lines_.push_back(board.taken()->name + " gives " + std::to_string(board.taken()->value) + " to " +
                     name_of(board, board.place()) + " at " + place_of(board.before()));
  if (now.progress != progress_) {
    progress_ = now.progress;
    if (progress_ == Watch::Progress::First) add_access(board, now.first);
    if (progress_ == Watch::Progress::Disturbed) add_access(board, now.between);
    if (progress_ == Watch::Progress::Happened) add_access(board, now.second);
  }
  if (choice == nullptr && board.stack().size() < running_)
    lines_.push_back(name_of(board, board.place()) +
                     (board.waits() ? " waits for a lock at " + place_of(board.before()) : " ends"));
  running_ = board.stack().size();
}

void Story::add_choice(const Board& board, const Choice& choice) {
  const auto stack = board.stack();
  if (choice.kind == Choice::Kind::Pause) lines_.push_back("the task on top waits for its next turn");
  if (choice.kind != Choice::Kind::Raise) return;
  std::string line = name_of(board, stack.back());
  if (stack.size() < 2)
    line += board.is_resumed() ? " goes on" : " begins";
  else
    line += std::string(board.is_resumed() ? " goes on, before " : " comes, before ") +
            place_of(board.point_of(stack[stack.size() - 2])) + " of " + name_of(board, stack[stack.size() - 2]);
  lines_.push_back(std::move(line));
}

void Story::add_access(const Board& board, const Watch::Made& made) {
  std::string what(setting_.program.globals[made.seen.variable].shown_name());
  if (made.seen.part == Board::Part::First)
    what = std::to_string(made.seen.size) + (made.seen.size == 1 ? " byte of " : " bytes of ") + what;
  if (made.seen.part == Board::Part::Rest) what = "the rest of " + what;
  what += " = " + std::to_string(made.seen.value);
  if (made.seen.whole) what += ", which makes " + std::to_string(*made.seen.whole);
  lines_.push_back("'" + setting_.system.name(made.entry) + "' " + (made.seen.writes ? "writes " : "reads ") + what +
                   " at " + place_of(board.before()));
}

}  // namespace heddle::depend
