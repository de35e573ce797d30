// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/link/link.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "program/link_sample.h"
#include "program/unit/unit_file.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

/// What `name` returns: a number, or what it calls or loads.
std::string result_of(const Program& p, std::string_view name) {
  const FunctionId id = p.find_function(name);
  if (!id || !p.functions[id].has_body()) return "<no body>";
  const Function& f = p.functions[id];
  const Operand first = f.operands_of(f.instructions.front()).front();
  return to_text(p, f, first);
}

std::size_t functions_from(const Program& p, std::string_view source_name) {
  return static_cast<std::size_t>(std::ranges::count(p.functions, source_name, &Function::source_name));
}

TEST(Link, ADeclarationBecomesTheDefinitionOfAnotherUnit) {
  Unit a("a.c"), b("b.c");
  a.caller("main", a.declare("f"));
  b.function("f", 7);
  const Linked l = linked_of(a, b);
  EXPECT_EQ(functions_from(l.program, "f"), 1u);
  EXPECT_EQ(result_of(l.program, "main"), "@f");
  EXPECT_EQ(result_of(l.program, "f"), "7");
  EXPECT_EQ(l.program.units, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_TRUE(l.conflicts.empty());
}

TEST(Link, InternalSymbolsStayApartUnderNamesThatNoOrderChanges) {
  const auto names = [](bool swapped) {
    Unit a("dir/a.c"), b("dir/b.c");
    a.reader("fa", a.global("s", "\1", Linkage::Internal));
    b.reader("fb", b.global("s", "\2", Linkage::Internal));
    a.function("only_here", 1, Linkage::Internal);
    const Linked l = swapped ? linked_of(b, a) : linked_of(a, b);
    EXPECT_TRUE(l.program.find_function("only_here")) << "a name that nobody else has stays as it is";
    return result_of(l.program, "fa") + " " + result_of(l.program, "fb");
  };
  EXPECT_EQ(names(false), "@s@dir/a.c @s@dir/b.c");
  EXPECT_EQ(names(true), names(false));
}

TEST(Link, AnInternalSymbolIsNotTheExternalOneOfThatName) {
  Unit a("a.c"), b("b.c"), c("c.c");
  a.caller("fa", a.function("f", 1, Linkage::Internal));
  b.function("f", 2);
  c.caller("fc", c.declare("f"));
  const Linked l = linked_of(a, b, c);
  EXPECT_EQ(result_of(l.program, "fa"), "@f@a.c");
  EXPECT_EQ(result_of(l.program, "fc"), "@f");
  EXPECT_EQ(result_of(l.program, "f"), "2");
}

TEST(Link, UnitsOfOneNameAreToldApart) {
  Unit a("a.c"), b("a.c");
  a.caller("f1", a.function("s", 1, Linkage::Internal));
  b.caller("f2", b.function("s", 2, Linkage::Internal));
  const Linked l = linked_of(a, b);
  EXPECT_EQ(result_of(l.program, "f1"), "@s@a.c");
  EXPECT_EQ(result_of(l.program, "f2"), "@s@a.c#2");
}

TEST(Link, TheStrongerDefinitionWinsWhereverItStands) {
  const std::vector<Linkage> order = {Linkage::LinkOnce, Linkage::Weak, Linkage::External};
  for (std::size_t weak = 0; weak < order.size(); ++weak)
    for (std::size_t strong = weak + 1; strong < order.size(); ++strong)
      for (const bool first : {true, false}) {
        Unit a("a.c"), b("b.c");
        a.function("f", 1, order[first ? strong : weak]);
        b.function("f", 2, order[first ? weak : strong]);
        const Linked l = linked_of(a, b);
        EXPECT_EQ(result_of(l.program, "f"), first ? "1" : "2") << weak << " " << strong;
        EXPECT_TRUE(l.conflicts.empty());
        EXPECT_EQ(l.program.functions[l.program.find_function("f")].linkage, order[strong]);
      }
}

TEST(Link, OfTwoWeakOnesTheFirstCounts) {
  Unit a("a.c"), b("b.c");
  a.function("f", 1, Linkage::Weak);
  b.function("f", 2, Linkage::Weak);
  const Linked l = linked_of(a, b);
  EXPECT_EQ(result_of(l.program, "f"), "1");
  EXPECT_TRUE(l.conflicts.empty()) << "that is what weak is for";
}

TEST(Link, CommonSymbolsTakeTheLargestAndGiveWayToADefinition) {
  Unit a("a.c"), b("b.c"), c("c.c");
  for (Unit* unit : {&a, &b, &c}) unit->global("both", "", Linkage::Common, unit == &b ? 16 : 4);
  a.global("defined", "", Linkage::Common, 32);
  b.global("defined", "\5", Linkage::External, 4);
  a.global("over_weak", "\1", Linkage::Weak, 4);
  b.global("over_weak", "", Linkage::Common, 4);
  const Linked l = linked_of(a, b, c);
  const auto global = [&](std::string_view name) -> const Global& {
    return l.program.globals[l.program.find_global(name)];
  };
  EXPECT_EQ(l.program.globals.size(), 3u);
  EXPECT_EQ(global("both").size, 16u);
  EXPECT_EQ(global("defined").bytes.size(), 1u);
  EXPECT_EQ(global("over_weak").linkage, Linkage::Common);
}

TEST(Link, TwoStrongDefinitionsStayApartAndAreReported) {
  Unit a("a.c"), b("b.c"), c("c.c");
  a.caller("fa", a.function("twice", 1));
  b.caller("fb", b.function("twice", 2));
  c.caller("fc", c.declare("twice"));
  const Linked l = linked_of(a, b, c);
  EXPECT_EQ(result_of(l.program, "fa"), "@twice");
  EXPECT_EQ(result_of(l.program, "fb"), "@twice@b.c");
  EXPECT_EQ(result_of(l.program, "fc"), "@twice");
  EXPECT_EQ(result_of(l.program, "twice@b.c"), "2");
  ASSERT_EQ(l.conflicts.size(), 1u);
  EXPECT_EQ(l.conflicts[0].kind, LinkConflict::Kind::DefinedTwice);
  EXPECT_EQ(l.conflicts[0].symbol, "twice");
  EXPECT_EQ(l.conflicts[0].units, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_EQ(l.conflicts[0].what, "'twice' is defined in 2 units; each uses its own, all others use that of a.c");
}

TEST(Link, TwoEntriesOfModulesAreTwoModules) {
  Unit a("a.c"), b("b.c");
  a.function("init_module", 1);
  b.function("init_module", 2);
  const Linked l = linked_of(a, b);
  ASSERT_EQ(l.conflicts.size(), 1u);
  EXPECT_EQ(l.conflicts[0].kind, LinkConflict::Kind::SeparateModules);
  EXPECT_EQ(functions_from(l.program, "init_module"), 2u);
}

TEST(Link, LinkOnceBodiesComeInOnceAndMustAgree) {
  Unit a("a.cpp"), b("b.cpp"), c("c.cpp");
  a.function("same", 1, Linkage::LinkOnce);
  b.function("same", 1, Linkage::LinkOnce);
  a.function("differs", 1, Linkage::LinkOnce);
  c.function("differs", 2, Linkage::LinkOnce);
  const Linked l = linked_of(a, b, c);
  EXPECT_EQ(l.program.functions.size(), 2u);
  EXPECT_EQ(result_of(l.program, "differs"), "1");
  ASSERT_EQ(l.conflicts.size(), 1u);
  EXPECT_EQ(l.conflicts[0].kind, LinkConflict::Kind::BodiesDiffer);
  EXPECT_EQ(l.conflicts[0].units, (std::vector<std::string>{"a.cpp", "c.cpp"}));
}

TEST(Link, StaticInlineFunctionsOfAHeaderComeInOnce) {
  Unit a("a.c"), b("b.c");
  for (Unit* unit : {&a, &b}) {
    const FunctionId inner = unit->function("inner", 1, Linkage::Internal, "list.h");
    unit->caller(unit == &a ? "fa" : "fb", unit->caller("outer", inner, Linkage::Internal, "list.h"));
  }
  const Linked l = linked_of(a, b);
  EXPECT_EQ(l.program.functions.size(), 4u);
  EXPECT_EQ(result_of(l.program, "fa"), "@outer");
  EXPECT_EQ(result_of(l.program, "fb"), "@outer");
}

TEST(Link, StaticInlineFunctionsThatCanTellThemselvesApartStayApart) {
  const auto copies = [](const auto& change) {
    Unit a("a.c"), b("b.c");
    for (Unit* unit : {&a, &b}) change(*unit, unit == &b);
    return functions_from(linked_of(a, b).program, "f");
  };
  EXPECT_EQ(copies([](Unit& u, bool) { u.function("f", 1, Linkage::Internal, "h.h"); }), 1u) << "the base case";
  EXPECT_EQ(copies([](Unit& u, bool second) { u.function("f", second ? 2 : 1, Linkage::Internal, "h.h"); }), 2u);
  EXPECT_EQ(copies([](Unit& u, bool second) { u.function("f", 1, Linkage::Internal, second ? "i.h" : "h.h"); }), 2u);
  EXPECT_EQ(copies([](Unit& u, bool) {
              u.reader("f", u.global("f.count", "", Linkage::Internal), Linkage::Internal, "h.h");
            }),
            2u)
      << "each unit has its own static variable";
  EXPECT_EQ(
      copies([](Unit& u, bool) { u.b.edit(u.function("f", 1, Linkage::Internal, "h.h")).is_address_taken = true; }), 2u)
      << "their addresses differ";
  EXPECT_EQ(copies([](Unit& u, bool second) {
              const FunctionId callee = u.function("g", second ? 2 : 1, Linkage::Internal, "h.h");
              u.caller("f", callee, Linkage::Internal, "h.h");
            }),
            2u)
      << "what they call differs";
  EXPECT_EQ(copies([](Unit& u, bool second) {
              u.caller("f", u.function("twice", second ? 2 : 1), Linkage::Internal, "h.h");
            }),
            2u)
      << "each calls its own unit's";
}

TEST(Link, LiteralsDoNotKeepInlineFunctionsApart) {
  Unit a("a.c"), b("b.c");
  b.global(".str", "other", Linkage::Internal, 8);
  for (Unit* unit : {&a, &b}) {
    const Operand literal = unit->global(unit == &a ? ".str" : ".str.1", "text", Linkage::Internal, 8);
    unit->b.edit(literal).source_name = {};
    unit->b.edit(literal).is_constant = true;
    unit->reader("f", literal, Linkage::Internal, "h.h");
  }
  EXPECT_EQ(functions_from(linked_of(a, b).program, "f"), 1u);
}

TEST(Link, AliasesStandForTheirTarget) {
  Unit a("a.c"), b("b.c"), c("c.c");
  const FunctionId real = a.function("real", 1, Linkage::Internal);
  Program first = a.take();
  first.aliases = {{"other", Linkage::External, Operand::function(real)},
                   {"overridden", Linkage::Weak, Operand::function(real)}};
  b.caller("fb", b.declare("other"));
  c.caller("fc", c.declare("overridden"));
  c.function("elsewhere", 3);
  Unit d("d.c");
  d.function("overridden", 4);
  std::vector<Program> units;
  units.push_back(std::move(first));
  units.push_back(b.take());
  units.push_back(c.take());
  units.push_back(d.take());
  const Linked l = linked(std::move(units));
  EXPECT_EQ(result_of(l.program, "fb"), "@real");
  EXPECT_EQ(result_of(l.program, "fc"), "@overridden");
  EXPECT_EQ(result_of(l.program, "overridden"), "4");
  EXPECT_TRUE(l.program.aliases.empty());
}

TEST(Link, AnAliasIntoTheMiddleOfAnObjectIsToldWhereItIsUsed) {
  const auto link_with = [](bool is_used) {
    Unit a("a.c"), b("b.c");
    const Operand array = a.global("array", "", Linkage::External, 16);
    Program first = a.take();
    first.aliases = {{"middle", Linkage::External, array, 8}};
    if (is_used) b.reader("fb", b.global("middle", "", Linkage::Declaration));
    std::vector<Program> units;
    units.push_back(std::move(first));
    units.push_back(b.take());
    return link(std::move(units));
  };
  EXPECT_TRUE(link_with(false)->conflicts.empty());
  const auto used = link_with(true);
  ASSERT_TRUE(used);
  ASSERT_EQ(used->conflicts.size(), 1);
  EXPECT_EQ(used->conflicts[0].kind, LinkConflict::Kind::InsideObject);
  EXPECT_EQ(used->conflicts[0].units, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_TRUE(used->program.globals[used->program.find_global("middle")].is_declaration());
}

TEST(Link, TypesOfUnitsAreOneIfTheySayTheSame) {
  const auto structs = [](bool second_differs) {
    Unit a("a.c"), b("b.c");
    for (Unit* unit : {&a, &b}) {
      ProgramBuilder& p = unit->b;
      if (unit == &b) p.source_int("unsigned", 32, false);  // other numbers for the rest
      const TypeId tree = p.source_struct("tree");
      const TypeId leaf = p.source_struct("leaf", {{"up", p.source_pointer(tree)}});
      const TypeId number = unit == &b && second_differs ? p.source_int("long", 64) : p.source_int();
      p.set_fields(tree, {{"left", p.source_pointer(tree)}, {"leaf", p.source_pointer(leaf)}, {"n", number}});
      const Operand g = unit->global(unit == &a ? "ga" : "gb", "", Linkage::External);
      p.edit(g).source_type = p.source_pointer(leaf);
    }
    const Linked l = linked_of(a, b);
    const bool is_one = l.program.globals[l.program.find_global("ga")].source_type ==
                        l.program.globals[l.program.find_global("gb")].source_type;
    return std::pair(std::ranges::count(l.program.types, "leaf", &Type::name), is_one);
  };
  EXPECT_EQ(structs(false), std::pair(std::ptrdiff_t{1}, true));
  EXPECT_EQ(structs(true), std::pair(std::ptrdiff_t{2}, false)) << "a difference two pointers away";
}

TEST(Link, ConstructorsRunByPriorityThenByUnit) {
  const auto names = [](const std::vector<FunctionId>& ids, const Program& p) {
    std::string out;
    for (const FunctionId id : ids) out += std::string(p.functions[id].name) + " ";
    return out;
  };
  std::vector<Program> units;
  for (const std::string name : {"a", "b"}) {
    Unit unit(name + ".c");
    const FunctionId late = unit.function(name + "_late", 1);
    const FunctionId early = unit.function(name + "_early", 2);
    Program p = unit.take();
    p.constructors = {early, late};
    p.constructor_priorities = {101, 65535};
    p.destructors = {late, early};
    p.destructor_priorities = {65535, 101};
    units.push_back(std::move(p));
  }
  const Linked l = linked(std::move(units));
  EXPECT_EQ(names(l.program.constructors, l.program), "a_early b_early a_late b_late ");
  EXPECT_EQ(names(l.program.destructors, l.program), "b_late a_late b_early a_early ");
}

TEST(Link, WhatUnitsSayAboutASymbolIsJoined) {
  Unit a("a.c"), b("b.c");
  a.b.edit(a.function("f", 1)).is_address_taken = false;
  b.b.edit(b.declare("f")).is_address_taken = true;
  for (Unit* unit : {&a, &b}) unit->b.edit(unit->declare("maybe")).may_be_missing = true;
  a.b.edit(a.declare("needed")).may_be_missing = true;
  b.declare("needed");
  const Linked l = linked_of(a, b);
  const auto function = [&](std::string_view name) { return l.program.functions[l.program.find_function(name)]; };
  EXPECT_TRUE(function("f").is_address_taken);
  EXPECT_TRUE(function("maybe").may_be_missing);
  EXPECT_FALSE(function("needed").may_be_missing) << "one unit insists";
}

TEST(Link, ABodyThatIsMissingEverywhereIsKeptInMind) {
  Unit a("a.c"), b("b.c");
  a.caller("fa", a.declare("lost"));
  a.caller("fb", a.declare("found"));
  b.function("found", 1);
  Program first = a.take();
  first.missing_bodies = {{"lost", "a.h:1:1"}, {"found", "a.h:2:1"}};
  std::vector<Program> units;
  units.push_back(std::move(first));
  units.push_back(b.take());
  const Linked l = linked(std::move(units));
  ASSERT_EQ(l.program.missing_bodies.size(), 1u);
  EXPECT_EQ(l.program.missing_bodies[0].symbol, "lost");
}

TEST(Link, UnitsOfDifferentMachinesAreRefused) {
  std::vector<Program> units;
  units.push_back(ProgramBuilder(64).take());
  units.push_back(ProgramBuilder(32).take());
  units[0].units = {"a.c"};
  units[1].units = {"b.c"};
  const auto l = link(std::move(units));
  ASSERT_FALSE(l);
  EXPECT_TRUE(l.error().message.starts_with("b.c: error: ")) << l.error().message;
}

TEST(Link, ALinkedProgramIsAUnitLikeAnyOther) {
  std::vector<Program> units;
  units.push_back(sample_unit());
  const Linked l = linked(std::move(units));
  EXPECT_EQ(print(l.program), print(sample_unit())) << "linking one unit changes nothing";
  const auto again = decode_unit(encode_unit(l.program));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(print(*again), print(l.program));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
