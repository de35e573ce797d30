// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations of a running program depend on each other: cancelled threads.
#include "explore/native/touches.h"

#include <gtest/gtest.h>

#include "explore/search/dependence.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

constexpr std::uint64_t mark_of_one = 1ULL << 59 | 1 << 8 | 16, mark_of_two = 1ULL << 59 | 2 << 8 | 16;

Event event_of(ThreadIndex thread, heddle_op op, std::uint64_t object, std::uint64_t mark = 0) {
  heddle_view view{};
  view.op = static_cast<std::uint8_t>(op);
  view.object = object;
  view.mark = mark;
  return native::pending_event(thread, view, false);
}

TEST(NativeTouches, ACallThatIsAPointDependsOnWhoCancelsItsThread) {
  const Event cancel = event_of(0, HEDDLE_OP_DESCRIPTOR, mark_of_one);
  EXPECT_TRUE(dependent(cancel, event_of(1, HEDDLE_OP_SEMAPHORE_WAIT, 64, mark_of_one)));
  EXPECT_TRUE(dependent(cancel, event_of(1, HEDDLE_OP_LOOK, mark_of_one, mark_of_one)));
  EXPECT_FALSE(dependent(cancel, event_of(2, HEDDLE_OP_SEMAPHORE_WAIT, 64, mark_of_two)));
  EXPECT_FALSE(dependent(cancel, event_of(1, HEDDLE_OP_SEMAPHORE_WAIT, 64)));
}

TEST(NativeTouches, WhoMayBeCancelledNeedNotWaitForTheOtherThreadsEnd) {
  Event end = event_of(2, HEDDLE_OP_UNLOCK, 64);
  native::add_touches(end, std::vector<Deed>{{.kind = DeedKind::ThreadEnd, .thread = 2}}, false);
  EXPECT_TRUE(never_enabled_together(end, event_of(1, HEDDLE_OP_JOIN, 2)));
  const Event join = event_of(1, HEDDLE_OP_JOIN, 2, mark_of_one);
  EXPECT_TRUE(dependent(end, join));
  EXPECT_FALSE(never_enabled_together(end, join));
  EXPECT_TRUE(join.conditional);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
