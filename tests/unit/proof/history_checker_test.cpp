// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof/history_checker.h"

#include <gtest/gtest.h>

namespace heddle::proof {
namespace HEDDLE_TEST_FILE {

using race::Meeting;
using race::Meetings;

/// a held and b taken since; b held and a taken since.
Meeting opposite() {
  Meeting out;
  out.first = {{"a", "b"}, {{{0, false}, {{1, false}}}}};
  out.second = {{"b", "a"}, {{{0, false}, {{1, false}}}}};
  out.one_lock = {{0, 1}, {1, 0}};
  return out;
}

Meetings one(const Meeting& meeting) { return {{meeting}, true, {"stable-paths"}}; }

TEST(HistoryChecker, AcceptsOppositeOrders) {
  const auto proof = check_history(one(opposite()), {{}});
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->form(), race::Proof::Form::History);
  EXPECT_EQ(to_text(proof->form()), "history");
  EXPECT_EQ(proof->assumptions(), std::set<std::string>{"stable-paths"});
  EXPECT_NE(proof->statement().find("'a' and 'b' are taken in opposite orders"), std::string::npos);
}

TEST(HistoryChecker, AsksForOneLockOnBothSides) {
  for (const std::pair<std::uint32_t, std::uint32_t> missing : {std::pair{0U, 1U}, std::pair{1U, 0U}}) {
    Meeting meeting = opposite();
    meeting.one_lock.erase(missing);
    EXPECT_FALSE(check_history(one(meeting), {{}}));
  }
  Meeting turned = opposite();
  turned.one_lock = {{0, 0}, {1, 1}};
  EXPECT_FALSE(check_history(one(turned), {{}}));
}

TEST(HistoryChecker, TwoReadersDoNotKeepEachOtherOut) {
  // By number: the lock that the first holds, that it took, that the second holds, that it took.
  for (int readers = 0; readers < 16; ++readers) {
    const auto is_shared = [&](int which) { return (readers >> which & 1) != 0; };
    Meeting meeting = opposite();
    meeting.first.rows[0] = {{0, is_shared(0)}, {{1, is_shared(1)}}};
    meeting.second.rows[0] = {{0, is_shared(2)}, {{1, is_shared(3)}}};
    const bool is_proof = !(is_shared(0) && is_shared(3)) && !(is_shared(1) && is_shared(2));
    EXPECT_EQ(check_history(one(meeting), {{}}).has_value(), is_proof) << readers;
  }
}

TEST(HistoryChecker, EveryMeetingNeedsItsOrders) {
  Meetings two{{opposite(), opposite()}, true, {}};
  EXPECT_TRUE(check_history(two, {{}, {}}));
  EXPECT_FALSE(check_history(two, {{}}));
  two.all[1].one_lock.clear();
  EXPECT_FALSE(check_history(two, {{}, {}}));
  two = one(opposite());
  two.is_complete = false;
  EXPECT_FALSE(check_history(two, {{}}));
  EXPECT_FALSE(check_history({{}, true, {}}, {}));
}

TEST(HistoryChecker, OrdersHaveToBeClaimed) {
  EXPECT_FALSE(check_history(one(opposite()), {{.first_row = 1}}));
  EXPECT_FALSE(check_history(one(opposite()), {{.first_taken = 1}}));
  EXPECT_FALSE(check_history(one(opposite()), {{.second_row = 1}}));
  EXPECT_FALSE(check_history(one(opposite()), {{.second_taken = 1}}));
  Meeting unnamed = opposite();
  unnamed.second.names.pop_back();
  EXPECT_FALSE(check_history(one(unnamed), {{}}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::proof
