// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_path_namer.h"

#include <gtest/gtest.h>

#include <functional>

#include "program/model/program_builder.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

/// Types of a small driver, and one function `f(d, i, …)` whose last instruction but the return is the access.
class Naming : public testing::Test {
 protected:
  ProgramBuilder b;
  TypeId i32 = b.int_type(32), i64 = b.int_type(64), ptr = b.ptr_type();
  TypeId int_ = b.source_int(), long_ = b.source_int("long", 64), char_ = b.source_int("char", 8);
  TypeId list = b.source_struct("list");
  TypeId stats = b.source_struct("stats", {{"rx", long_}, {"rx_p", long_}});
  TypeId number = b.source_union("", {{"a", int_}, {"b", b.source_int("float", 32)}});
  TypeId priv = b.source_struct(
      "priv", {{"n", int_}, {"stats", stats}, {"u", number}, {"f1", int_, 3}, {"f2", int_, 5}, {"w", int_}});
  // priv at 0, list at 8, datum at 24, arr at 28, name at 44.
  TypeId dev = b.source_struct("dev", {{"priv", b.source_pointer(priv)},
                                       {"list", list_of_two()},
                                       {"datum", int_},
                                       {"arr", b.source_array(int_, 4)},
                                       {"name", b.source_array(char_, 0)}});
  FunctionBuilder& f = b.function("f", b.void_type(), {ptr, i64});
  Operand d = f.param(0), i = f.param(1);

  TypeId list_of_two() {
    b.set_fields(list, {{"next", b.source_pointer(list)}, {"prev", b.source_pointer(list)}});
    return list;
  }
  Naming() { f.name(i, "i", long_); }
  void name_d(TypeId pointee) { f.name(d, "d", b.source_pointer(pointee)); }

  /// The name of the access added last.
  std::string named() {
    return with_table([](const AccessPathTable& t, AccessPathId id) { return t.print(id); });
  }
  bool is_complete() {
    return with_table([](const AccessPathTable& t, AccessPathId id) {
             return std::string(t.is_complete(id) ? "y" : "n");
           }) == "y";
  }

 private:
  std::string with_table(const std::function<std::string(const AccessPathTable&, AccessPathId)>& use) {
    if (!program_) {
      instruction_ = f.last();
      f.ret();
      program_ = b.take();
    }
    AccessPathTable table;
    AccessPathNamer namer(*program_, table);
    return use(table, namer.path_of_access(program_->find_function("f"), instruction_));
  }
  std::optional<Program> program_;
  std::size_t instruction_ = 0;
};

TEST_F(Naming, MembersThroughPointers) {
  name_d(dev);
  f.load(i64, f.gep(f.load(ptr, f.gep(d, 0)), 16));
  EXPECT_EQ(named(), "d->priv->stats.rx_p");
  EXPECT_TRUE(is_complete());
}

TEST_F(Naming, FirstMemberOfTheFirstMember) {
  name_d(priv);
  f.load(i64, f.gep(d, 8));
  EXPECT_EQ(named(), "d->stats.rx");
}

TEST_F(Naming, ArraysInStructs) {
  name_d(dev);
  f.load(i32, f.gep(f.gep(d, 28), 0, {{i, 4}}));
  EXPECT_EQ(named(), "d->arr[i]");
}

TEST_F(Naming, ConstantElements) {
  name_d(dev);
  f.load(i32, f.gep(d, 28 + 8));
  EXPECT_EQ(named(), "d->arr[2]");
}

TEST_F(Naming, FlexibleMembers) {
  name_d(dev);
  f.load(b.int_type(8), f.gep(d, 44 + 60));
  EXPECT_EQ(named(), "d->name[60]");
}

TEST_F(Naming, PointersAsArrays) {
  name_d(stats);
  f.store(i, f.gep(f.gep(d, 0, {{i, 16}}), 8));
  EXPECT_EQ(named(), "d[i].rx_p");
}

TEST_F(Naming, NeighboursByConstant) {
  name_d(stats);
  f.store(i, f.gep(d, -16 + 8));
  EXPECT_EQ(named(), "*(d + -8 bytes)") << "not a whole struct away, and no member says more";
  EXPECT_FALSE(is_complete());
}

TEST_F(Naming, WholeNeighbours) {
  name_d(stats);
  f.store(i, f.gep(d, 3 * 16 + 8));
  EXPECT_EQ(named(), "d[3].rx_p");
}

TEST_F(Naming, IndexExpressions) {
  name_d(int_);
  const Operand next = f.binary(BinaryOp::Add, i, b.int_constant(i64, ~0ULL));
  f.load(i32, f.gep(d, 0, {{next, 4}}));
  EXPECT_EQ(named(), "d[i - 1]");
}

TEST_F(Naming, NamelessIndices) {
  name_d(int_);
  const FunctionId random = b.declare("random", i64, {});
  const Operand x = f.binary(BinaryOp::FAdd, f.call(random), i);
  f.load(i32, f.gep(d, 0, {{x, 4}}));
  EXPECT_EQ(named(), "d[*]");
  EXPECT_TRUE(is_complete());
}

TEST_F(Naming, TwoDimensions) {
  const Operand m = b.global("m", b.array_type(b.array_type(i32, 4), 3), b.source_array(b.source_array(int_, 4), 3));
  f.load(i32, f.gep(m, 0, {{i, 16}, {i, 4}}));
  EXPECT_EQ(named(), "m[i][i]");
}

TEST_F(Naming, UnionMembersThatOverlap) {
  name_d(priv);
  f.load(i32, f.gep(d, 24));
  EXPECT_EQ(named(), "d->u.a|d->u.b");
}

TEST_F(Naming, BitfieldsOfOneUnit) {
  name_d(priv);
  f.load(b.int_type(8), f.gep(d, 28));
  EXPECT_EQ(named(), "d->f1|d->f2");
}

TEST_F(Naming, ContainerOf) {
  name_d(list);
  const TypeId machine_dev = b.struct_type({ptr, b.array_type(ptr, 2), i32, b.array_type(i32, 4)}, "struct.dev");
  f.store(b.int_constant(i32, 1), f.gep(f.gep(d, -8), 24, {}, machine_dev));
  EXPECT_EQ(named(), "container_of(d, struct dev, list)->datum");
}

TEST_F(Naming, CastsThatTheArithmeticShows) {
  name_d(char_);
  const TypeId machine_dev = b.struct_type({ptr, b.array_type(ptr, 2), i32, b.array_type(i32, 4)}, "struct.dev");
  f.load(i32, f.gep(d, 24, {}, machine_dev));
  EXPECT_EQ(named(), "((struct dev *)d)->datum");
}

TEST_F(Naming, CastsByLayoutWithoutNames) {
  name_d(char_);
  const TypeId machine_stats = b.struct_type({i64, i64});
  f.load(i64, f.gep(d, 8, {}, machine_stats));
  // `list` has two eight-byte members as well, so nothing says which struct it is.
  EXPECT_EQ(named(), "d[8]");
}

TEST_F(Naming, PrefersTheNameWithMembers) {
  f.name(d, "opaque", b.source_pointer({}));
  f.name(d, "device", b.source_pointer(dev));
  f.load(i32, f.gep(d, 24));
  EXPECT_EQ(named(), "device->datum");
}

TEST_F(Naming, PrefersTheNameTheArithmeticUses) {
  f.name(d, "l", b.source_pointer(list));
  f.name(d, "s", b.source_pointer(stats));
  f.load(i64, f.gep(d, 8, {}, b.struct_type({i64, i64}, "struct.stats")));
  EXPECT_EQ(named(), "s->rx_p");
}

TEST_F(Naming, LocalsByTheirMemory) {
  const Operand x = f.alloca_of(b.array_type(i64, 2));
  f.name_memory(x, "local", stats);
  f.store(i, f.gep(x, 8));
  EXPECT_EQ(named(), "local.rx_p");
}

TEST_F(Naming, WholeStructsByCopies) {
  name_d(dev);
  const Operand x = f.alloca_of(b.array_type(i64, 2));
  f.mem_copy(f.gep(d, 8), x, b.int_constant(i64, 16));
  EXPECT_EQ(named(), "d->list");
}

TEST_F(Naming, GlobalsWithTheirTypes) {
  const Operand g = b.global("table", b.array_type(i64, 20), b.source_array(stats, 10));
  f.store(i, f.gep(g, 8, {{i, 16}}));
  EXPECT_EQ(named(), "table[i].rx_p");
}

TEST_F(Naming, StringLiterals) {
  const Operand g = b.global(".str", b.array_type(b.int_type(8), 3));
  b.edit(g).source_name = {};
  b.edit(g).is_constant = true;
  b.set_bytes(g, std::string_view("hi\0", 3));
  f.load(b.int_type(8), g);
  EXPECT_EQ(named(), "\"hi\"");
}

TEST_F(Naming, ResultsOfCalls) {
  const FunctionId get = b.declare("get", ptr, {i64});
  b.edit(get).source_type = b.source_function(b.source_pointer(dev), {long_});
  f.load(i32, f.gep(f.call(get, {i}), 24));
  EXPECT_EQ(named(), "get(…)->datum");
}

TEST_F(Naming, ResultsOfFunctionPointers) {
  const TypeId getter = b.source_function(b.source_pointer(dev), {});
  const TypeId ops = b.source_struct("ops", {{"get", b.source_pointer(getter)}});
  name_d(ops);
  const Operand result = f.call_indirect(f.load(ptr, d), b.function_type(ptr, {}));
  f.load(i32, f.gep(result, 24));
  EXPECT_EQ(named(), "d->get()->datum");
}

TEST_F(Naming, ThreadLocalAddresses) {
  const Operand g = b.global("tls", i32, int_);
  const FunctionId address = b.declare("llvm.threadlocal.address.p0", ptr, {ptr});
  f.load(i32, f.call(address, {g}));
  EXPECT_EQ(named(), "tls");
}

TEST_F(Naming, NamedPhis) {
  name_d(list);
  const BlockId head = f.block("head");
  f.br(head);
  f.enter(head);
  const Operand q = f.phi(ptr, {{d, BlockId(0)}});
  f.name(q, "q", b.source_pointer(list));
  f.load(ptr, f.gep(q, 8));
  EXPECT_EQ(named(), "q->prev");
}

TEST_F(Naming, NamelessPhisTakeAnOperandWithAName) {
  name_d(list);
  const BlockId head = f.block("head");
  f.br(head);
  f.enter(head);
  const Operand q = f.phi(ptr, {{b.null(), BlockId(0)}, {d, BlockId(0)}});
  const Operand next = f.gep(q, 16);
  f.add_incoming(q, next, head);
  f.load(ptr, f.gep(q, 8));
  EXPECT_EQ(named(), "d->prev");
  EXPECT_TRUE(is_complete());
}

TEST_F(Naming, SelectsTakeAnOperandWithAName) {
  name_d(list);
  const Operand chosen = f.select(f.compare(Predicate::Eq, i, i), b.null(), d);
  f.load(ptr, f.gep(chosen, 8));
  EXPECT_EQ(named(), "d->prev");
}

TEST_F(Naming, ReferencesWithoutStar) {
  f.name(d, "r", b.source_reference(stats));
  f.load(i64, f.gep(d, 8));
  EXPECT_EQ(named(), "r.rx_p");
}

TEST_F(Naming, MembersOfBaseClassesThroughThis) {
  const TypeId derived =
      b.source_struct("Derived", {{.name = "", .type = stats, .bits = 0, .is_base = true}, {"own", int_}});
  f.name(d, "this", b.source_pointer(derived));
  f.load(i64, f.gep(d, 8));
  EXPECT_EQ(named(), "this->rx_p");
}

TEST_F(Naming, LambdaCaptures) {
  const TypeId closure = b.source_struct("", {{"count", b.source_reference(int_)}, {"copy", int_}});
  f.name(d, "this", b.source_pointer(closure));
  f.load(i32, f.load(ptr, d));
  EXPECT_EQ(named(), "count");
}

TEST_F(Naming, IteratorsReadAsPointers) {
  const TypeId iterator = b.source_struct("ns::iter<stats>", {{"at", b.source_pointer(stats)}});
  const FunctionId arrow = b.declare("_ZptEv", ptr, {ptr});
  b.edit(arrow).source_name = "ns::iter<stats>::operator*";
  b.edit(arrow).source_type = b.source_function(b.source_reference(stats), {b.source_pointer(iterator)});
  const Operand it = f.alloca_of(ptr);
  f.name_memory(it, "it", iterator);
  f.load(i64, f.gep(f.call(arrow, {it}), 8));
  EXPECT_EQ(named(), "it->rx_p");
}

TEST_F(Naming, PointersOutOfUnionsByTheirUse) {
  const TypeId either = b.source_union("either", {{"l", b.source_pointer(list)}, {"s", b.source_pointer(stats)}});
  const TypeId holder = b.source_struct("holder", {{"e", either}});
  name_d(holder);
  f.load(i64, f.gep(f.load(ptr, d), 8, {}, b.struct_type({i64, i64}, "struct.stats")));
  EXPECT_EQ(named(), "d->e.s->rx_p");
}

TEST_F(Naming, PointersOutOfUnionsBeforeIntegers) {
  const TypeId either = b.source_union("either", {{"bits", long_}, {"s", b.source_pointer(stats)}});
  name_d(either);
  f.load(i64, f.gep(f.load(ptr, d), 8));
  EXPECT_EQ(named(), "d->s->rx_p");
}

TEST_F(Naming, StructsOfOneLayoutInAUnion) {
  const TypeId one = b.source_struct("", {{"x", long_}, {"y", long_}, {"z", long_}});
  const TypeId two = b.source_struct("", {{"u", long_}, {"v", long_}, {"w", long_}});
  name_d(b.source_union("both", {{"one", one}, {"two", two}}));
  f.load(i64, f.gep(d, 8, {}, b.struct_type({i64, i64, i64})));
  EXPECT_EQ(named(), "d->one.y|d->two.v");
}

TEST_F(Naming, WholeArraysByFills) {
  name_d(dev);
  f.mem_set(f.gep(d, 28), b.int_constant(b.int_type(8), 0), b.int_constant(i64, 16));
  EXPECT_EQ(named(), "d->arr");
}

TEST_F(Naming, TaggedPointersInIntegers) {
  name_d(stats);
  const Operand bits = f.cast(CastOp::PtrToInt, d, i64);
  const Operand clean = f.binary(BinaryOp::And, bits, b.int_constant(i64, ~7ULL));
  f.load(i64, f.gep(f.cast(CastOp::IntToPtr, clean, ptr), 8));
  EXPECT_EQ(named(), "d->rx_p");
}

TEST_F(Naming, BytesOfScalars) {
  name_d(long_);
  f.load(b.int_type(8), f.gep(d, 3));
  EXPECT_EQ(named(), "((char *)d)[3]");
}

TEST_F(Naming, UnknownRootsAreIncomplete) {
  f.load(i32, f.gep(d, 24));
  EXPECT_FALSE(is_complete()) << "the parameter has no name: " << named();
}

TEST_F(Naming, FirstElementAndFirstMemberShareAnAddress) {
  name_d(stats);
  const TypeId machine = b.struct_type({i64, i64}, "struct.stats");
  f.load(i64, f.gep(f.gep(d, 0, {}, machine), 8, {}, machine));
  EXPECT_EQ(named(), "d->rx_p");
}

TEST(NamingValues, GiveTheObjectPointedTo) {
  ProgramBuilder b;
  const TypeId lock = b.source_struct("lock", {{"raw", b.source_int()}});
  const TypeId dev = b.source_struct("dev", {{"lock", lock}, {"n", b.source_int()}});
  const TypeId machine = b.struct_type({b.struct_type({b.int_type(32)}), b.int_type(32)}, "struct.dev");
  FunctionBuilder& f = b.function("f", b.void_type(), {b.ptr_type()});
  f.name(f.param(0), "d", b.source_pointer(dev));
  const Operand address = f.gep(f.param(0), 0, {}, machine);
  f.ret();
  const Program p = b.take();
  AccessPathTable table;
  AccessPathNamer namer(p, table);
  EXPECT_EQ(table.print(namer.path_of_value(FunctionId(0), address)), "d->lock");
  EXPECT_EQ(table.print(namer.path_of_value(FunctionId(0), Operand::value(ValueId(0)))), "*d");
}

TEST(NamingValues, TellsValuesOfOneNameApart) {
  ProgramBuilder b;
  const TypeId pointer = b.source_pointer(b.source_int());
  FunctionBuilder& f = b.function("f", b.void_type(), {b.ptr_type(), b.ptr_type()});
  f.name(f.param(0), "p", pointer).name(f.param(1), "p", pointer);
  f.load(b.int_type(32), f.param(0));
  f.load(b.int_type(32), f.param(1));
  f.load(b.int_type(32), f.param(0));
  f.ret();
  const Program p = b.take();
  AccessPathTable table;
  AccessPathNamer namer(p, table);
  const AccessPathId first = namer.path_of_access(FunctionId(0), 0);
  EXPECT_NE(first, namer.path_of_access(FunctionId(0), 1));
  EXPECT_EQ(first, namer.path_of_access(FunctionId(0), 2));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
