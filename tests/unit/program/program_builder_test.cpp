// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/program_builder.h"

#include <gtest/gtest.h>

namespace heddle {
namespace HEDDLE_TEST_FILE {

TEST(ProgramBuilder, InternsTypesAndConstants) {
  ProgramBuilder b;
  EXPECT_EQ(b.int_type(32), b.int_type(32));
  EXPECT_NE(b.int_type(32), b.int_type(64));
  EXPECT_NE(b.int_type(32), b.source_int("int", 32));
  EXPECT_EQ(b.int_constant(b.int_type(8), 0x1ff), b.int_constant(b.int_type(8), 0xff));
  EXPECT_NE(b.null(), b.undef(b.ptr_type()));
}

TEST(ProgramBuilder, LaysOutStructsAsTheAbiDoes) {
  ProgramBuilder b;
  const TypeId i8 = b.source_int("char", 8);
  const TypeId i32 = b.source_int();
  const TypeId id =
      b.source_struct("s", {{"c", i8}, {"i", i32}, {"a", i32, 3}, {"b", i32, 30}, {"p", b.source_pointer(i32)}});
  const Type s = b.peek().types[id];
  ASSERT_EQ(s.fields.size(), 5U);
  EXPECT_EQ(s.fields[1].offset_bits, 32U);
  EXPECT_EQ(s.fields[2].offset_bits, 64U);
  EXPECT_EQ(s.fields[3].offset_bits, 96U) << "30 bits do not fit behind 3";
  EXPECT_EQ(s.fields[4].offset_bits, 128U);
  EXPECT_EQ(s.size_bits, 192U);
  EXPECT_TRUE(s.fields[3].is_bitfield);
}

TEST(ProgramBuilder, UnionMembersShareTheStart) {
  ProgramBuilder b;
  const TypeId u = b.source_union("u", {{"a", b.source_int("char", 8)}, {"b", b.source_int("long", 64)}});
  EXPECT_EQ(b.peek().types[u].fields[1].offset_bits, 0U);
  EXPECT_EQ(b.peek().types[u].size_bits, 64U);
}

TEST(ProgramBuilder, NumbersValuesBehindParameters) {
  ProgramBuilder b;
  const TypeId i32 = b.int_type(32);
  FunctionBuilder& f = b.function("f", i32, {b.ptr_type(), i32});
  const Operand loaded = f.at(7, 3).load(i32, f.param(0));
  const Operand sum = f.with(Instruction::no_signed_wrap).binary(BinaryOp::Add, loaded, f.param(1));
  f.ret(sum);
  const FunctionId id = f.id();
  const Program p = b.take();
  const Function& fn = p.functions[id];
  EXPECT_EQ(loaded.as_value(), fn.result_of(0));
  EXPECT_EQ(sum.as_value(), fn.result_of(1));
  EXPECT_TRUE(fn.instructions[1].has_flag(Instruction::no_signed_wrap));
  EXPECT_FALSE(fn.instructions[2].has_flag(Instruction::no_signed_wrap));
  EXPECT_EQ(p.where(fn.instructions[0].location), "test.c:7:3");
  EXPECT_EQ(p.find_function("f"), id);
}

TEST(ProgramBuilder, LoopsWithLatePhiOperands) {
  ProgramBuilder b;
  const TypeId i32 = b.int_type(32);
  FunctionBuilder& f = b.function("loop", b.void_type(), {i32});
  const BlockId head = f.block("head");
  const BlockId out = f.block("out");
  f.br(head);
  f.enter(head);
  const Operand i = f.phi(i32, {{b.int_constant(i32, 0), BlockId(0)}});
  const Operand next = f.binary(BinaryOp::Add, i, b.int_constant(i32, 1));
  f.add_incoming(i, next, head);
  f.cond_br(f.compare(Predicate::Slt, next, f.param(0)), head, out);
  f.enter(out).ret();
  const Program p = b.take();
  const Function& fn = p.functions[p.find_function("loop")];
  EXPECT_EQ(fn.successors(head), (std::vector{head, out}));
  EXPECT_EQ(fn.operands_of(fn.instructions[1]).size(), 4U);
  EXPECT_EQ(fn.operands_of(fn.instructions[1])[2], next);
}

TEST(ProgramBuilder, RejectsUnfinishedBodies) {
  ProgramBuilder open;
  open.function("f", open.void_type(), {});
  EXPECT_THROW(open.take(), InternalError);

  ProgramBuilder forgotten;
  FunctionBuilder& f = forgotten.function("f", forgotten.void_type(), {});
  f.block("never");
  f.ret();
  EXPECT_THROW(f.ret(), InternalError) << "nothing may follow a terminator";
  EXPECT_THROW(forgotten.take(), InternalError);
}

TEST(ProgramBuilder, CallsKnowTheirResultType) {
  ProgramBuilder b;
  const TypeId i64 = b.int_type(64);
  const FunctionId callee = b.declare("get", i64, {b.ptr_type()});
  FunctionBuilder& f = b.function("f", i64, {});
  const Operand result = f.call(callee, {b.null()});
  EXPECT_EQ(f.type_of(result), i64);
  f.ret(result);
  const Program p = b.take();
  const Function& fn = p.functions[p.find_function("f")];
  EXPECT_EQ(fn.operands_of(fn.instructions[0])[0], Operand::function(callee));
  EXPECT_FALSE(p.functions[callee].has_body());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
