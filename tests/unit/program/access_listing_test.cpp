// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_listing.h"

#include <gtest/gtest.h>

#include <sstream>

#include "program/model/program_builder.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

TEST(AccessListing, PrintsOneLineAnAccessAndTheShare) {
  ProgramBuilder b;
  const TypeId i32 = b.int_type(32);
  const Operand g = b.global("g", i32, b.source_int());
  FunctionBuilder& f = b.function("f", b.void_type(), {b.ptr_type()});
  f.at(2, 3).store(b.int_constant(i32, 1), g);
  f.at(3, 3).load(i32, f.param(0), AtomicOrder::Acquire);
  f.ret();
  const Program p = b.take();
  std::ostringstream out;
  print_accesses(out, p);
  EXPECT_EQ(out.str(),
            "test.c:2:3: write 4 bytes  g   [f@test.c:2:3:write:0]\n"
            "test.c:3:3: atomic read 4 bytes  ? (incomplete)   [f@test.c:3:3:read:0]\n"
            "2 accesses, 1 named (50.0 %)\n");
  const AccessNamingStats stats = measure_access_naming(p);
  EXPECT_EQ(stats.total, 2U);
  EXPECT_EQ(stats.complete, 1U);
}

TEST(AccessListing, RoundsDown) {
  EXPECT_DOUBLE_EQ((AccessNamingStats{.total = 3000, .complete = 2999}.percent()), 99.9);
  EXPECT_DOUBLE_EQ((AccessNamingStats{.total = 3000, .complete = 3000}.percent()), 100.0);
}

TEST(AccessListing, SaysWhenThereIsNothing) {
  const Program p;
  std::ostringstream out;
  print_accesses(out, p);
  EXPECT_EQ(out.str(), "0 accesses, 0 named (100.0 %)\n");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
