// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/executor/side_marks.h"

namespace heddle::explore {

const Side* UnknownSides::of(const Side* side) {
  const auto [at, is_new] = sides_.try_emplace(side);
  if (is_new) {
    at->second = *side;
    at->second.may_do_anything = true;
  }
  return &at->second;
}

void SideMarks::begin_step(ThreadIndex thread) {
  thread_ = thread;
  if (open_.size() <= thread) open_.resize(thread + 1);
  marks_.emplace_back();
}

void SideMarks::begin(const FramePlace& frame, Place meeting, const Side& side, std::uint32_t deed, bool is_call) {
  end_below(frame.depth, deed);
  open_[thread_].push_back({frame, meeting, is_call, marks_.size() - 1, marks_.back().size()});
  marks_.back().push_back({SideMark::Kind::Begin, deed, &side});
}

void SideMarks::forget(const Open& open) {
  SideMark& begin = marks_[open.step][open.mark];
  begin.side = unknown_.of(begin.side);
}

void SideMarks::end(std::uint32_t deed, bool is_met) {
  if (!is_met) forget(open_[thread_].back());
  open_[thread_].pop_back();
  marks_.back().push_back({SideMark::Kind::End, deed, nullptr});
}

/// Frames that are gone, and nobody said so.
void SideMarks::end_below(std::uint64_t depth, std::uint32_t deed) {
  while (!open_[thread_].empty() && open_[thread_].back().frame.depth > depth) end(deed, false);
}

void SideMarks::arrive(const FramePlace& frame, Place place, std::uint32_t deed) {
  end_below(frame.depth, deed);
  const std::vector<Open>& open = open_[thread_];
  while (!open.empty() && open.back().frame.depth == frame.depth && open.back().meeting == place) end(deed, true);
}

void SideMarks::leave(const FramePlace& frame, bool returns, std::uint32_t deed) {
  end_below(frame.depth, deed);
  const std::vector<Open>& open = open_[thread_];
  while (!open.empty() && open.back().frame.depth == frame.depth && open.back().frame.function == frame.function)
    end(deed, returns && open.back().meeting == at_return);
}

void SideMarks::land(const FramePlace& frame, std::uint32_t deed) {
  end_below(frame.depth, deed);
  const std::vector<Open>& open = open_[thread_];
  while (!open.empty() && open.back().frame.depth == frame.depth && open.back().is_call) end(deed, false);
}

void SideMarks::ask(std::uint32_t deed) { marks_.back().push_back({SideMark::Kind::Asks, deed, nullptr}); }

void SideMarks::doubt(std::uint32_t deed, AccessKey written) {
  marks_.back().push_back({SideMark::Kind::Doubt, deed, nullptr, written});
}

std::vector<std::vector<SideMark>> SideMarks::take() {
  for (const std::vector<Open>& open : open_)
    for (const Open& one : open) forget(one);
  return std::move(marks_);
}

}  // namespace heddle::explore
