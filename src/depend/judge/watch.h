// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at a run for one triple: a run of some entry makes the first access, one that has interrupted it the second,
// and then the same run, in the same round of its service loops, the third; all to the same bytes, or to variables that
// hold the same information.
//
//   50: a = speed;      65: speed = raw;      55: b = speed;          nothing yet -> first seen -> disturbed ->
//   happened
//
// Accesses are known by variable, line and kind, whichever instruction of the line it is, whichever entry runs it, and
// whichever variables of a group they are: one triple stands for all that have the same text.
//
// Two accesses of one line may also be parts of one that is made in several steps (Board::Cut), or of one assignment
// that copies several members: they have one place in the source, and not the same bytes.
//
// Which of several first accesses it is cannot be told when it is made: `asks` says that one was, and the search tries
// both, to take it (`take`) and to go on waiting.
#pragma once
#include "depend/judge/board.h"
#include "depend/risk/triples.h"

namespace heddle::depend {

/// In the source; 0: it has none.
[[nodiscard]] std::uint32_t line_at(const Program& program, const Board::Point& point);

class Watch {
 public:
  enum class Progress : std::uint8_t { Waits, First, Disturbed, Happened, Lost };
  /// The three accesses, as they were made.
  struct Made {
    Board::Seen seen;
    std::size_t entry = 0;
  };
  struct State {
    Progress progress = Progress::Waits;
    bool asks = false;
    std::uint32_t place = 0;            ///< of the run that made the first access
    std::vector<std::uint32_t> path;    ///< where each of its frames stood then
    LocationId location = {};           ///< of the first access
    bool has_left = false;              ///< the run has done something else since
    std::size_t common = 0;             ///< so many of these frames are still there
    std::vector<std::uint32_t> rounds;  ///< heads of service loops that the innermost of these has gone round
    std::vector<std::pair<std::uint64_t, std::uint64_t>> disturbed = {};  ///< first byte, and behind the last
    bool is_any = false;  ///< of two variables: the first one was disturbed
    Made first, between, second;
  };

  Watch(Setting& setting, const Triple& triple);

  /// After each instruction.
  void look(const Board& board);
  [[nodiscard]] Progress progress() const { return state_.progress; }
  /// The latest instruction may be the first access.
  [[nodiscard]] bool asks() const { return state_.asks; }
  void take(const Board& board, bool is_first);

  [[nodiscard]] const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }
  void add_to(Hasher& hasher) const;

 private:
  struct Wanted {
    std::uint32_t line = 0;
    bool writes = false;
  };
  [[nodiscard]] std::vector<Board::Seen> find(const Board& board, const Wanted& wanted) const;
  void look_at_run(const Board& board);
  void look_at_other(const Board& board);
  void look_at_loops(const Board& board);
  [[nodiscard]] bool is_same_round(const Board& board) const;
  [[nodiscard]] bool is_rest(const Board& board, const Board::Seen& second) const;
  [[nodiscard]] bool is_disturbed(const Board::Seen& second) const;

  Setting& setting_;
  std::vector<GlobalId> variables_;  ///< one, or a group of those that hold the same information
  bool is_pair_, is_one_line_ = false;
  Wanted first_, between_, second_;
  State state_;
};

}  // namespace heddle::depend
