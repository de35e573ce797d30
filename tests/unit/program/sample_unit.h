// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <sstream>
#include <string>

#include "program/model/function_hash.h"
#include "program/model/program_builder.h"
#include "program/text/printer.h"

namespace heddle {

/// A unit with something in every table.
inline Program sample_unit() {
  ProgramBuilder b;
  const TypeId i32 = b.int_type(32);
  const TypeId i8 = b.int_type(8);
  const TypeId node = b.source_struct("node");
  b.set_fields(node, {{"value", b.source_int(), 3}, {"next", b.source_pointer(node)}});
  const Operand table = b.global("table", b.array_type(i8, 8), b.source_array(b.source_int("char", 8), 8));
  b.set_bytes(table, std::string_view("hi\0you", 6));
  b.edit(table).location = b.location("a.h", 7, 3);
  const FunctionId helper = b.declare("helper", b.void_type(), {b.ptr_type()}, true);
  FunctionBuilder& f = b.function("f", i32, {b.ptr_type(), i32});
  const BlockId loop = f.block("loop");
  const BlockId end = f.block("end");
  const Operand local = f.at(3).alloca_of(i32);
  f.name_memory(local, "n", b.source_int()).name(f.param(0), "head", b.source_pointer(node));
  f.store(b.int_constant(i32, 300), local);
  f.br(loop);
  f.enter(loop);
  const Operand phi = f.at(4, 9).phi(i32, {{f.param(1), BlockId(0)}});
  const Operand place = f.gep(f.param(0), -8, {{phi, 24}});
  const Operand loaded = f.with(Instruction::is_volatile).load(i32, place, AtomicOrder::Acquire);
  const Operand pair = f.cmpxchg(place, loaded, phi);
  const Operand flag = f.extract_value(pair, b.int_type(1), {1});
  f.call(helper, {table});
  f.unsupported("a strange thing", b.void_type());
  f.add_incoming(phi, f.binary(BinaryOp::Add, loaded, b.int_constant(i32, 1)), loop);
  f.cond_br(flag, loop, end);
  f.enter(end);
  f.at(9).ret(phi);
  Program p = b.take();
  p.units = {"dir/a.c"};
  p.layout.triple = "x86_64-pc-linux-gnu";
  hash_functions(p);
  return p;
}

inline std::string print(const Program& program) {
  std::ostringstream out;
  print_program(out, program);
  return out.str();
}

}  // namespace heddle
