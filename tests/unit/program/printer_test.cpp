// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/text/printer.h"

#include <gtest/gtest.h>

#include <sstream>

#include "program/model/program_builder.h"
#include "program/text/type_text.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

TEST(TypeText, WritesMachineTypes) {
  ProgramBuilder b;
  const TypeId i32 = b.int_type(32);
  const TypeId pair = b.struct_type({i32, b.int_type(1)});
  const TypeId array = b.array_type(b.ptr_type(), 4);
  const TypeId function = b.function_type(b.void_type(), {b.ptr_type(), i32}, true);
  EXPECT_EQ(type_text(b.peek(), pair), "{i32, i1}");
  EXPECT_EQ(type_text(b.peek(), array), "[4 x ptr]");
  EXPECT_EQ(type_text(b.peek(), function), "void (ptr, i32, ...)");
  EXPECT_EQ(type_text(b.peek(), TypeId()), "<none>");
}

TEST(TypeText, WritesSourceTypesAsC) {
  ProgramBuilder b;
  const TypeId i = b.source_int();
  const TypeId node = b.source_struct("node");
  EXPECT_EQ(type_text(b.peek(), b.source_pointer(b.source_pointer(node))), "struct node **");
  EXPECT_EQ(type_text(b.peek(), b.source_reference(node)), "struct node &");
  EXPECT_EQ(type_text(b.peek(), b.source_array(i, 0)), "int[]");
  EXPECT_EQ(type_text(b.peek(), b.source_pointer(b.source_function(i, {b.source_pointer({})}))), "int (*)(void *)");
  EXPECT_EQ(type_text(b.peek(), b.source_struct("std::mutex")), "std::mutex");
  EXPECT_EQ(type_text(b.peek(), b.source_union("")), "union {…}");
}

TEST(Printer, ShowsEveryPartOfAFunction) {
  ProgramBuilder b;
  const TypeId i32 = b.int_type(32);
  const Operand g = b.global("g", i32, b.source_int());
  FunctionBuilder& f = b.function("f", i32, {b.ptr_type(), i32});
  f.name(f.param(0), "p", b.source_pointer(b.source_int()));
  const BlockId out = f.block("out");
  f.at(3, 5);
  const Operand v = f.with(Instruction::is_volatile).load(i32, f.param(0));
  f.with(Instruction::no_signed_wrap).binary(BinaryOp::Add, v, b.int_constant(i32, ~0ULL));
  f.gep(f.param(0), 8, {{f.param(1), 4}}, i32);
  f.atomic_rmw(RmwOp::Add, g, v, AtomicOrder::AcqRel);
  f.cond_br(f.compare(Predicate::Slt, v, f.param(1)), out, out);
  f.enter(out).at(9, 2).ret(v);
  const Program p = b.take();
  std::ostringstream text;
  print_program(text, p);
  EXPECT_EQ(text.str(),
            "@g = global i32, 4 bytes is g: int\n"
            "\n"
            "define i32 @f(ptr %0, i32 %1) {\n"
            "  ; %0 is p: int *\n"
            "entry:\n"
            "  %2 = load volatile i32, %0                            ; test.c:3:5\n"
            "  %3 = add nsw i32 %2, -1                               ; test.c:3:5\n"
            "  %4 = gep %0 + 8 + 4·%1 (i32)                         ; test.c:3:5\n"
            "  %5 = atomic_rmw add acq_rel i32, @g, %2               ; test.c:3:5\n"
            "  %6 = compare slt i1 %2, %1                            ; test.c:3:5\n"
            "  cond_branch %6, out, out                              ; test.c:3:5\n"
            "out:\n"
            "  return %2                                             ; test.c:9:2\n"
            "}\n");
}

TEST(Printer, ShowsCallsAndSwitches) {
  ProgramBuilder b;
  const TypeId i32 = b.int_type(32);
  const FunctionId callee = b.declare("get", i32, {b.ptr_type()}, true);
  FunctionBuilder& f = b.function("f", b.void_type(), {});
  const BlockId one = f.block("one");
  const Operand r = f.call(callee, {b.null(), b.int_constant(i32, 7)});
  f.switch_on(r, one, {{b.int_constant(i32, 1), one}});
  f.enter(one).unreachable();
  const Program p = b.take();
  const Function& fn = p.functions[p.find_function("f")];
  EXPECT_EQ(to_text(p, fn, fn.instructions[0]), "%0 = call i32 @get(null, 7)");
  EXPECT_EQ(to_text(p, fn, fn.instructions[1]), "switch %0, one, 1, one");
  EXPECT_EQ(to_text(p, fn, fn.instructions[2]), "unreachable");
  std::ostringstream text;
  print_function(text, p, p.functions[callee]);
  EXPECT_EQ(text.str(), "declare i32 @get(ptr %0, ...)\n");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
