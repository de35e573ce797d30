// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SideMarks: the marks of OtherSides, from the ways that threads took: branches that began, blocks that were come to,
// frames that were left.
//
//   if (!k) return;  x++;      the branch is over where its function returns
//   if (!k) pthread_exit(0);   the frame is left without a return: what its callers would have done behind it is not in
//                              the branch's sides, so these may do anything
//
// A frame is known by its depth, which grows with calls, and by the function that it belongs to (code that was inlined
// shares the frame of its caller).
#pragma once
#include <map>
#include <vector>

#include "explore/executor/other_sides.h"

namespace heddle::explore {

/// Sides that may do anything besides.
class UnknownSides {
 public:
  const Side* of(const Side* side);

 private:
  std::map<const Side*, Side> sides_;
};

struct FramePlace {
  std::uint64_t depth = 0;
  std::uint64_t function = 0;
};

class SideMarks {
 public:
  using Place = std::uint64_t;
  static constexpr Place at_return = ~Place{0};

  explicit SideMarks(UnknownSides& unknown) : unknown_(unknown) {}

  /// What follows was done by `thread` in the next step; `deed` counts those of the step.
  void begin_step(ThreadIndex thread);
  /// `meeting`: where the branch is over; a call is over where it comes back to.
  void begin(const FramePlace& frame, Place meeting, const Side& side, std::uint32_t deed, bool is_call = false);
  void arrive(const FramePlace& frame, Place place, std::uint32_t deed);
  /// A return, or (`returns` is false) something that goes on elsewhere.
  void leave(const FramePlace& frame, bool returns, std::uint32_t deed);
  /// An exception was caught in the frame: calls of it and frames below are over.
  void land(const FramePlace& frame, std::uint32_t deed);
  void ask(std::uint32_t deed);
  /// `written`: the access that stands for what the library wrote.
  void doubt(std::uint32_t deed, AccessKey written);

  [[nodiscard]] std::vector<std::vector<SideMark>> take();

 private:
  struct Open {
    FramePlace frame;
    Place meeting = at_return;
    bool is_call = false;
    std::size_t step = 0, mark = 0;  ///< of its beginning
  };

  void end(std::uint32_t deed, bool is_met);
  void end_below(std::uint64_t depth, std::uint32_t deed);
  void forget(const Open& open);

  UnknownSides& unknown_;
  std::vector<std::vector<SideMark>> marks_;
  std::vector<std::vector<Open>> open_;  ///< of each thread
  ThreadIndex thread_ = 0;
};

}  // namespace heddle::explore
