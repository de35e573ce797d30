// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/state/account.h"

#include <algorithm>

namespace heddle::interpret {

void Account::end_run(OutcomeKind kind, std::string what, int exit_code) {
  outcome_ = {kind, exit_code, std::move(what), threads_.current(), threads_.stack(threads_.current())};
  throw RunOver{};
}

void Account::end_waiting(OutcomeKind kind, std::string what, ThreadIndex last) {
  outcome_ = {kind, 0, std::move(what), last, threads_.stack(last)};
}

void Account::add_note(Note::Kind kind, std::string what) {
  constexpr std::size_t enough = 100;
  if (notes_.size() >= enough) return;
  const ThreadIndex thread = threads_.current();
  std::vector<StackEntry> where = threads_.stack(thread);
  for (const Note& note : notes_)
    if (note.kind == kind && !note.stack.empty() && !where.empty() && note.stack.front() == where.front()) return;
  notes_.push_back({kind, std::move(what), thread, std::move(where)});
}

void Account::add_doubt(const char* what) {
  if (std::ranges::find(doubts_, what) == doubts_.end()) doubts_.push_back(what);
}

void Account::add_input(std::string what) {
  constexpr std::size_t enough = 50;
  if (inputs_.size() < enough) inputs_.push_back(std::move(what));
}

void Account::undo_to(const Mark& mark) {
  notes_.resize(mark.notes);
  inputs_.resize(std::min(inputs_.size(), mark.inputs));
  output_.resize(mark.output);
  errors_.resize(mark.errors);
  instructions_ = mark.instructions;
  outcome_ = {};
}

}  // namespace heddle::interpret
