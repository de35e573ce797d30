// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/clocks/lock_bytes.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

Deed deed(DeedKind kind, std::uint64_t address, std::uint32_t size, ThreadIndex thread = 0) {
  Deed deed;
  deed.kind = kind;
  deed.address = address;
  deed.size = size;
  deed.thread = thread;
  return deed;
}

bool were_used(std::initializer_list<Deed> deeds) {
  LockBytes bytes;
  bytes.follow({deeds.begin(), deeds.size()});
  return bytes.were_used();
}

TEST(LockBytes, OfAnObjectThatWasUsed) {
  EXPECT_TRUE(were_used({deed(DeedKind::SyncReset, 100, 32), deed(DeedKind::Write, 100, 4)}));
  EXPECT_TRUE(were_used({deed(DeedKind::Acquire, 100, 48), deed(DeedKind::Read, 140, 4)})) << "its last bytes";
  EXPECT_TRUE(were_used({deed(DeedKind::Release, 100, 0), deed(DeedKind::Write, 90, 16)})) << "a block around it";
}

TEST(LockBytes, NotOfOthers) {
  EXPECT_FALSE(were_used({deed(DeedKind::Write, 100, 4), deed(DeedKind::SyncReset, 100, 32)})) << "its initialiser";
  EXPECT_FALSE(were_used({deed(DeedKind::SyncReset, 100, 32), deed(DeedKind::Write, 132, 4)})) << "its neighbour";
  EXPECT_FALSE(were_used({deed(DeedKind::Acquire, 100, 8), deed(DeedKind::AtomicRead, 100, 1)})) << "a guard";
  EXPECT_FALSE(
      were_used({deed(DeedKind::Acquire, 100, 8), deed(DeedKind::Free, 96, 64), deed(DeedKind::Write, 100, 4)}))
      << "memory that is used again";
}

TEST(LockBytes, TheRaceItselfMayBeOnThem) {
  const Deed taken = deed(DeedKind::Acquire, 100, 48), written = deed(DeedKind::Write, 100, 48, 1);
  LockBytes bytes;
  const Deed both[] = {taken, written};
  bytes.follow(both);
  EXPECT_FALSE(bytes.were_used_besides(taken, written));
  EXPECT_TRUE(bytes.were_used_besides(taken, deed(DeedKind::Write, 200, 4, 1)));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
