// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/executor/side_table.h"

#include <gtest/gtest.h>

#include "explore/executor/side_marks.h"
#include "explore/native/native_sides.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

constexpr std::uint64_t x_address = 0x4000, m_address = 0x5000;
enum : std::uint64_t { at_branch = 7, in_function = 8, at_meeting = 9, at_call = 17 };

/// x and m are globals, `gone` is none that the program has; the branch goes to x behind a lock of m.
SideTable a_table() {
  SideTable table;
  table.unknown_calls = 3;
  table.symbols = {{"x", 4}, {"m", 40}, {"gone", 8}};
  table.origins.emplace_back();
  table.origins.back().loads = {11, 12};
  table.origins.back().path = true;
  Side& side = table.sides.emplace_back();
  side.condition.loads = {11};
  side.condition.branches = {31, 32};
  side.branch = 33;
  SideAccess& access = side.accesses.emplace_back();
  access.variable = {5, {symbol_address(0, 2), 2}};
  access.is_write = access.takes = true;
  access.key = 77;
  access.before.acquired = {{symbol_address(1, 0), 6}, {symbol_address(2, 0), 6}, {section_lock, any_region}};
  access.before.regions = {4};
  SideAccess& other = side.accesses.emplace_back();
  other.variable = {5, {symbol_address(2, -4), 2}};
  LockUpdate& end = side.ends.emplace_back();
  end.addresses = {symbol_address(1, 0)};
  table.accesses.push_back({.key = 11, .origin = 0, .is_answer = true, .regions = {1, 2}});
  table.branches.push_back({.place = at_branch, .function = in_function, .meeting = at_meeting, .ways = {{1, 0}}});
  table.branches.push_back({.place = at_call,
                            .function = in_function,
                            .meeting = at_call,
                            .is_call = true,
                            .otherwise = 0,
                            .ways = {{0, 0}}});
  table.asks = {{.place = 21, .calls_back = true}, {.place = 22, .is_unknown = true}, {.place = 23, .written = 11}};
  return table;
}

TEST(SideTable, ReadsWhatItWrote) {
  const std::string text = a_table().to_text();
  const Result<SideTable> again = SideTable::from_text(text, "sides");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->to_text(), text);
  EXPECT_EQ(again->unknown_calls, 3U);
  EXPECT_TRUE(again->sides[0].accesses[0].takes);
  EXPECT_EQ(again->sides[0].branch, 33U);
  EXPECT_EQ(again->sides[0].condition.branches, (std::vector<BranchKey>{31, 32}));
  EXPECT_EQ(again->accesses[0].regions, (std::vector<Region>{1, 2}));
}

TEST(SideTable, ADamagedOneIsRefused) {
  const std::string text = a_table().to_text();
  EXPECT_FALSE(SideTable::from_text("", "sides"));
  EXPECT_FALSE(SideTable::from_text("heddle sides 1\n", "sides"));
  for (std::size_t i = text.find('\n') + 1; i < text.size(); ++i) {
    if (text[i] == '\n') continue;
    std::string damaged = text.substr(0, i);  // cut in the middle of a line, unless a number ends there or a row
    const Result<SideTable> table = SideTable::from_text(damaged, "sides");
    if (table) EXPECT_NE(table->to_text(), text);
  }
  EXPECT_FALSE(SideTable::from_text(text + "branch 1 2 3 0 9 0\n", "sides")) << "there is no side 9";
  EXPECT_FALSE(SideTable::from_text(text + "access 1 9 0 0\n", "sides")) << "there is no origin 9";
  EXPECT_FALSE(SideTable::from_text(text + "side 0 0 ffffffffffffffff\n", "sides")) << "nobody has so many loads";
}

TEST(SideTable, ASymbolWithAnOffsetIsAnAddress) {
  const auto place = symbol_place(symbol_address(6, -12), 7);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->symbol, 6U);
  EXPECT_EQ(place->offset, -12);
  EXPECT_FALSE(symbol_place(symbol_address(6, 0), 6));
  EXPECT_FALSE(symbol_place(section_lock, 7));
}

TEST(NativeCode, SymbolsHaveAddressesInTheProcess) {
  const std::vector<std::uint64_t> addresses{x_address, m_address, 0};
  const NativeCode code(a_table(), addresses);
  const SideTable::Branch* branch = code.find_branch(at_branch);
  ASSERT_NE(branch, nullptr);
  EXPECT_EQ(code.side_of(*branch, 0), nullptr) << "its only other side was taken";
  const Side* side = code.side_of(*branch, 1);
  ASSERT_NE(side, nullptr);
  EXPECT_EQ(side->accesses[0].variable.bytes.address, x_address + 2);
  // What lies nowhere is the whole region; a lock that lies nowhere is not held.
  EXPECT_EQ(side->accesses[1].variable.bytes.size, 0U);
  const LockUpdate& before = side->accesses[0].before;
  ASSERT_EQ(before.acquired.size(), 2U);
  EXPECT_EQ(before.acquired[0].address, m_address);
  EXPECT_EQ(before.acquired[1].address, section_lock);
  EXPECT_FALSE(before.releases_anything);
  EXPECT_EQ(side->ends[0].addresses, std::vector{m_address});
  const NativeCode nowhere(a_table(), std::vector<std::uint64_t>(3));
  EXPECT_TRUE(nowhere.side_of(*nowhere.find_branch(at_branch), 1)->ends[0].releases_anything);
  EXPECT_EQ(code.find_branch(at_call)->ways[0].value, x_address);
  EXPECT_TRUE(nowhere.find_branch(at_call)->ways.empty()) << "whoever is called, the others count";
}

heddle_passage passage(heddle_passage_kind kind, std::uint64_t frame, std::uint64_t place, std::uint64_t way = 0) {
  return {.place = place, .way = way, .frame = frame, .deed = 0, .kind = static_cast<std::uint8_t>(kind), .unused = {}};
}

/// The marks of one step, as a text: `(` begins a branch, `?(` one of which nothing is known, `)` ends one, `!` doubts.
std::string marks_of(const std::vector<heddle_passage>& passages) {
  const NativeCode code(a_table(), std::vector<std::uint64_t>{x_address, m_address, 0});
  NativeSides sides(code);
  sides.add_step(0, passages, true);
  const auto marks = sides.marks();
  std::string text;
  for (const SideMark& mark : marks->front()) {
    if (mark.kind == SideMark::Kind::Begin) text += mark.side->may_do_anything ? "?(" : "(";
    if (mark.kind == SideMark::Kind::End) text += ")";
    if (mark.kind == SideMark::Kind::Asks || mark.kind == SideMark::Kind::Doubt) text += "!";
    if (mark.key != no_access) text += std::to_string(mark.key);
  }
  return text;
}

TEST(NativeSides, ABranchIsOverWhereItsSidesMeet) {
  const auto begins = passage(HEDDLE_PASSAGE_BRANCH, 100, at_branch, 1);
  EXPECT_EQ(marks_of({begins, passage(HEDDLE_PASSAGE_MEET, 100, at_meeting)}), "()");
  EXPECT_EQ(marks_of({passage(HEDDLE_PASSAGE_BRANCH, 100, at_branch, 0)}), "") << "no other side";
  EXPECT_EQ(marks_of({begins, passage(HEDDLE_PASSAGE_MEET, 90, at_meeting)}), "?(") << "of a call of itself";
  EXPECT_EQ(marks_of({begins}), "?(") << "the thread ended in it";
  EXPECT_EQ(marks_of({begins, passage(HEDDLE_PASSAGE_LEAVE, 110, 1)}), "?()") << "left without a return";
  EXPECT_EQ(marks_of({begins, passage(HEDDLE_PASSAGE_LEAVE, 100, 1)}), "?(") << "what was inlined there returns";
  EXPECT_EQ(marks_of({passage(HEDDLE_PASSAGE_BRANCH, 100, 4)}), "?(") << "nobody knows it";
}

TEST(NativeSides, ExceptionsAndLongJumpsEndWhatTheyLeave) {
  const auto begins = passage(HEDDLE_PASSAGE_BRANCH, 100, at_branch, 1);
  const auto calls = passage(HEDDLE_PASSAGE_BRANCH, 100, at_call, 5);
  EXPECT_EQ(marks_of({calls, passage(HEDDLE_PASSAGE_MEET, 100, at_call)}), "()");
  EXPECT_EQ(marks_of({begins, calls, passage(HEDDLE_PASSAGE_LAND, 100, in_function)}), "?(?()");
  EXPECT_EQ(marks_of({begins, calls, passage(HEDDLE_PASSAGE_LAND, 100, in_function),
                      passage(HEDDLE_PASSAGE_MEET, 100, at_meeting)}),
            "(?())");
  EXPECT_EQ(marks_of({begins, passage(HEDDLE_PASSAGE_LAND, 100, in_function, 1)}), "?()");
}

TEST(NativeSides, ALibraryThatAnswersIsADoubt) {
  const auto called = [](std::uint64_t place) {
    return marks_of({passage(HEDDLE_PASSAGE_ASK, 100, place), passage(HEDDLE_PASSAGE_ANSWER, 100, place)});
  };
  EXPECT_EQ(called(21), "?()!!") << "what it calls back rests on what it is given";
  EXPECT_EQ(called(22), "!?()!?()");
  EXPECT_EQ(called(23), "!!11");
  EXPECT_EQ(called(24), "") << "nothing to doubt";
}

TEST(NativeSides, WhatWasLostIsNotTold) {
  const NativeCode code(a_table(), std::vector<std::uint64_t>(3));
  NativeSides sides(code);
  sides.add_step(0, {}, true);
  sides.add_step(1, {}, false);
  EXPECT_FALSE(sides.marks());
  sides.rewind(1);
  EXPECT_TRUE(sides.marks());
  EXPECT_TRUE(sides.origin_of(5).everything);
  EXPECT_EQ(sides.regions_of(5), std::vector{any_region});
  EXPECT_TRUE(sides.is_answer(5)) << "nobody knows that access";
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
