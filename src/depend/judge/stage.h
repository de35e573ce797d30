// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The board with somebody who looks at it: from one choice to the next.
#pragma once
#include <functional>

#include "depend/judge/turn.h"
#include "depend/judge/watch.h"

namespace heddle::depend {

/// Is called after each instruction, and with each other choice.
using Told = std::function<void(const Board& board, const Watch& watch, const Choice* choice)>;

class Stage {
 public:
  Board board;
  Watch watch;
  Board::Stand stand;

  Stage(Setting& setting, const Triple& triple, Gaps& gaps)
      : board(setting, setting.taking_part(triple), cut_of(setting, triple), gaps),
        watch(setting, triple),
        program_(setting.program) {}

  /// To the next choice, or the end of the path. False: after so many steps there is none yet.
  bool advance(std::uint64_t& steps, std::uint64_t most, const Told& told = {}) {
    while (!is_over() && !watch.asks()) {
      stand = board.look();
      if (stand.kind == Board::Stand::Kind::Over || stand.is_choice()) return true;
      if (steps >= most) return false;
      execute(stand.input == nullptr ? 0 : stand.input->all.front(), steps, told);
    }
    return true;
  }

  void carry_out(const Choice& choice, std::uint64_t& steps, const Told& told = {}) {
    switch (choice.kind) {
      case Choice::Kind::GoOn: execute(choice.value, steps, told); break;
      case Choice::Kind::Raise: board.raise(choice.value); break;
      case Choice::Kind::Pause: board.pause(); break;
      case Choice::Kind::Take:
      case Choice::Kind::Pass: watch.take(board, choice.kind == Choice::Kind::Take); break;
    }
    if (told && choice.kind != Choice::Kind::GoOn) told(board, watch, &choice);
  }

  [[nodiscard]] bool is_over() const {
    return watch.progress() == Watch::Progress::Happened || watch.progress() == Watch::Progress::Lost;
  }
  [[nodiscard]] bool may_go_on() const { return stand.kind == Board::Stand::Kind::Runs && !stand.must_raise; }
  /// Where the run on top stands, or that made what is asked about; 0: nobody runs.
  [[nodiscard]] std::uint32_t line() const {
    if (watch.asks()) return line_at(program_, board.before());
    return board.is_idle() ? 0 : line_at(program_, board.point_of(board.stack().back()));
  }

 private:
  static std::optional<Board::Cut> cut_of(const Setting& setting, const Triple& triple) {
    if (!triple.is_in_steps) return std::nullopt;
    return Board::Cut{triple.first.variable, line_of(setting.program, triple.first), triple.first_writes};
  }

  void execute(std::uint64_t input, std::uint64_t& steps, const Told& told) {
    ++steps;
    board.execute(input);
    watch.look(board);
    if (told) told(board, watch, nullptr);
  }

  const Program& program_;
};

}  // namespace heddle::depend
