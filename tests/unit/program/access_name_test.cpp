// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_name.h"

#include <gtest/gtest.h>

#include <set>

#include "program/model/program_builder.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

TEST(AccessSites, ListsEveryKindOfAccess) {
  ProgramBuilder b;
  const TypeId i32 = b.int_type(32);
  const TypeId i64 = b.int_type(64);
  const FunctionId callee = b.declare("take", b.void_type(), {b.ptr_type()});
  FunctionBuilder& f = b.function("f", b.void_type(), {b.ptr_type(), b.ptr_type(), i64});
  const Operand v = f.with(Instruction::is_volatile).load(i32, f.param(0));
  f.store(v, f.param(1), AtomicOrder::Release);
  f.atomic_rmw(RmwOp::Add, f.param(0), v);
  f.cmpxchg(f.param(0), v, v);
  f.mem_copy(f.param(0), f.param(1), b.int_constant(i64, 24));
  f.mem_set(f.param(0), b.int_constant(b.int_type(8), 0), f.param(2));
  f.call(callee, {f.param(0)});
  f.gep(f.param(0), 4);
  f.ret();
  Program p = b.take();
  Function& caller = p.functions[p.find_function("f")];
  CallInfo call = caller.calls[0];
  call.byval = p.arena.copy(std::vector<ByValue>{{0, 40}});
  caller.calls = p.arena.copy(std::vector{call});
  const std::vector<AccessSite> sites = access_sites(p, p.functions[p.find_function("f")]);
  const std::vector<AccessSite> expected = {
      {.instruction = 0,
       .kind = AccessKind::Read,
       .address_operand = 0,
       .size = 4,
       .is_atomic = false,
       .is_volatile = true},
      {.instruction = 1,
       .kind = AccessKind::Write,
       .address_operand = 1,
       .size = 4,
       .is_atomic = true,
       .is_volatile = false},
      {.instruction = 2,
       .kind = AccessKind::Update,
       .address_operand = 0,
       .size = 4,
       .is_atomic = true,
       .is_volatile = false},
      {.instruction = 3,
       .kind = AccessKind::Update,
       .address_operand = 0,
       .size = 4,
       .is_atomic = true,
       .is_volatile = false},
      {.instruction = 4,
       .kind = AccessKind::Write,
       .address_operand = 0,
       .size = 24,
       .is_atomic = false,
       .is_volatile = false},
      {.instruction = 4,
       .kind = AccessKind::Read,
       .address_operand = 1,
       .size = 24,
       .is_atomic = false,
       .is_volatile = false},
      {.instruction = 5,
       .kind = AccessKind::Write,
       .address_operand = 0,
       .size = {},
       .is_atomic = false,
       .is_volatile = false},
      {.instruction = 6,
       .kind = AccessKind::Read,
       .address_operand = 1,
       .size = 40,
       .is_atomic = false,
       .is_volatile = false},
  };
  EXPECT_EQ(sites, expected);
}

TEST(AccessSites, SizesAreWhatIsStored) {
  ProgramBuilder b;
  FunctionBuilder& f = b.function("f", b.void_type(), {b.ptr_type()});
  f.load(b.int_type(1), f.param(0));
  f.load(b.int_type(24), f.param(0));
  f.load(b.float_type(80), f.param(0));
  f.load(b.ptr_type(), f.param(0));
  f.ret();
  const Program p = b.take();
  std::vector<std::uint64_t> sizes;
  for (const AccessSite& site : access_sites(p, p.functions[FunctionId(0)])) sizes.push_back(site.size.value());
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{1, 3, 10, 8}));
}

Program two_lines(std::uint32_t first_line) {
  ProgramBuilder b;
  const TypeId i32 = b.int_type(32);
  FunctionBuilder& f = b.function("f", b.void_type(), {b.ptr_type()});
  f.at(first_line, 3);
  const Operand v = f.load(i32, f.param(0));
  const Operand w = f.load(i32, f.param(0));
  f.store(f.binary(BinaryOp::Add, v, w), f.param(0));
  f.at(first_line + 1, 3).load(i32, f.param(0));
  f.ret();
  return b.take();
}

TEST(AccessName, HoldsFunctionPlaceKindAndOrdinal) {
  const Program p = two_lines(10);
  const std::vector<std::string> expected = {"f@test.c:10:3:read:0", "f@test.c:10:3:read:1", "f@test.c:10:3:write:0",
                                             "f@test.c:11:3:read:0"};
  EXPECT_EQ(access_names(p, FunctionId(0)), expected);
  EXPECT_EQ(access_name(p, FunctionId(0), 1, AccessKind::Read), expected[1]);
  EXPECT_EQ(access_name(p, FunctionId(0), 3, AccessKind::Write), expected[2]);
  EXPECT_EQ(access_name(p, FunctionId(0), 3, AccessKind::Update), expected[2]);
  EXPECT_THROW(access_name(p, FunctionId(0), 2, AccessKind::Read), InternalError) << "an addition is no access";
  EXPECT_THROW(access_name(p, FunctionId(0), 3, AccessKind::Read), InternalError) << "a store does not read";
}

TEST(AccessName, IsUniqueInAFunction) {
  const Program p = two_lines(10);
  const std::vector<std::string> names = access_names(p, FunctionId(0));
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
}

TEST(AccessName, DoesNotDependOnTheBody) {
  Program p = two_lines(10);
  const std::vector<std::string> before = access_names(p, FunctionId(0));
  p.functions[FunctionId(0)].hash = {1, 2};
  EXPECT_EQ(access_names(p, FunctionId(0)), before);
}

TEST(AccessName, CallsOfTheLibraryAreToldApartByTheCall) {
  ProgramBuilder b;
  const FunctionId callee = b.declare("memset", b.void_type(), {b.ptr_type()});
  FunctionBuilder& f = b.function("f", b.void_type(), {b.ptr_type()});
  f.at(7, 2);
  f.call(callee, {f.param(0)});
  f.call(callee, {f.param(0)});
  f.ret();
  const Program p = b.take();
  const FunctionId id = p.find_function("f");
  EXPECT_EQ(access_name(p, id, 0, AccessKind::Write), "f@test.c:7:2:call-write:0");
  EXPECT_EQ(access_name(p, id, 1, AccessKind::Write), "f@test.c:7:2:call-write:1");
  EXPECT_EQ(access_name(p, id, 1, AccessKind::Free), "f@test.c:7:2:call-free:1");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
