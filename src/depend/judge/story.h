// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule in words: who begins or comes where, what the three accesses of the triple read and write, what the world
// outside gave.
#pragma once
#include "depend/judge/stage.h"

namespace heddle::depend {

class Story {
 public:
  explicit Story(const Setting& setting) : setting_(setting) {}

  /// After each instruction, and with each other choice.
  void add(const Board& board, const Watch& watch, const Choice* choice);
  [[nodiscard]] std::vector<std::string> take() { return std::move(lines_); }

 private:
  void add_choice(const Board& board, const Choice& choice);
  void add_access(const Board& board, const Watch::Made& made);
  [[nodiscard]] std::string name_of(const Board& board, std::uint32_t place) const;
  [[nodiscard]] std::string place_of(const Board::Point& point) const;

  const Setting& setting_;
  std::vector<std::string> lines_;
  std::size_t running_ = 0;
  Watch::Progress progress_ = Watch::Progress::Waits;
};

}  // namespace heddle::depend
