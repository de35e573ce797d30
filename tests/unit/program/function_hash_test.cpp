// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/function_hash.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "program/model/program_builder.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

/// What to vary in `f(p, n) { g = p->x + n; use("text"); }`.
struct Variant {
  std::uint32_t line = 1;
  std::string parameter = "p";
  std::string global = "g";
  std::string callee = "use";
  std::string text = "text";
  std::uint64_t addend = 1;
  std::int64_t offset = 4;
  std::uint64_t width = 32;
  BinaryOp op = BinaryOp::Add;
  std::uint8_t flags = 0;
  AtomicOrder order = AtomicOrder::NotAtomic;
  bool swap_targets = false;
  bool unrelated = false;
};

ContentHash hash_of(const Variant& v) {
  ProgramBuilder b;
  if (v.unrelated) {
    b.global("before", b.float_type(64));
    b.int_constant(b.int_type(16), 9);
    FunctionBuilder& other = b.function("other", b.int_type(16), {});
    other.ret(b.int_constant(b.int_type(16), 3));
  }
  const TypeId type = b.int_type(v.width);
  const Operand literal = b.global(v.unrelated ? ".str.7" : ".str", b.array_type(b.int_type(8), 5));
  b.edit(literal).linkage = Linkage::Internal;
  b.edit(literal).source_name = {};
  b.set_bytes(literal, v.text);
  const Operand g = b.global(v.global, type);
  const FunctionId callee = b.declare(v.callee, b.void_type(), {b.ptr_type()});
  FunctionBuilder& f = b.function("f", b.void_type(), {b.ptr_type(), type});
  f.name(f.param(0), v.parameter);
  const BlockId yes = f.block("yes");
  const BlockId no = f.block("no");
  f.at(v.line);
  const Operand loaded = f.load(type, f.gep(f.param(0), v.offset));
  const Operand sum = f.with(v.flags).binary(v.op, loaded, b.int_constant(type, v.addend));
  f.cond_br(f.compare(Predicate::Eq, sum, f.param(1)), v.swap_targets ? no : yes, v.swap_targets ? yes : no);
  f.enter(yes).store(sum, g, v.order);
  f.ret();
  f.enter(no).call(callee, {literal});
  f.ret();
  const Program p = b.take();
  return function_hash(p, p.functions[p.find_function("f")]);
}

TEST(FunctionHash, IgnoresPlaceAndNames) {
  const ContentHash base = hash_of({});
  EXPECT_EQ(hash_of({.line = 700}), base);
  EXPECT_EQ(hash_of({.parameter = "renamed"}), base);
  EXPECT_EQ(hash_of({.unrelated = true}), base);
}

TEST(FunctionHash, SeesEveryChangeOfMeaning) {
  const std::vector<Variant> variants = {
      {.global = "h"},
      {.callee = "misuse"},
      {.text = "best"},
      {.addend = 2},
      {.offset = 8},
      {.width = 64},
      {.op = BinaryOp::Sub},
      {.flags = Instruction::no_signed_wrap},
      {.order = AtomicOrder::Release},
      {.swap_targets = true},
  };
  std::vector<ContentHash> seen = {hash_of({})};
  for (const Variant& v : variants) {
    const ContentHash h = hash_of(v);
    EXPECT_EQ(std::ranges::count(seen, h), 0) << "variant " << seen.size();
    seen.push_back(h);
  }
}

TEST(FunctionHash, FileLocalSymbolsCountBySourceName) {
  const auto hash_with = [](const std::string& symbol, const std::string& source) {
    ProgramBuilder b;
    const Operand g = b.global(symbol, b.int_type(32));
    b.edit(g).linkage = Linkage::Internal;
    b.edit(g).source_name = b.keep(source);
    FunctionBuilder& f = b.function("f", b.int_type(32), {});
    f.ret(f.load(b.int_type(32), g));
    const Program p = b.take();
    return function_hash(p, p.functions[FunctionId(0)]);
  };
  EXPECT_EQ(hash_with("count", "count"), hash_with("count.12", "count"));
  EXPECT_NE(hash_with("count", "count"), hash_with("count", "total"));
}

TEST(FunctionHash, FillsAllBodies) {
  ProgramBuilder b;
  const FunctionId outside = b.declare("outside", b.void_type(), {});
  FunctionBuilder& f = b.function("f", b.void_type(), {});
  f.ret();
  const FunctionId inside = f.id();
  Program p = b.take();
  hash_functions(p);
  EXPECT_EQ(p.functions[inside].hash, function_hash(p, p.functions[inside]));
  EXPECT_NE(p.functions[inside].hash, ContentHash{});
  EXPECT_EQ(p.functions[outside].hash, ContentHash{});
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
