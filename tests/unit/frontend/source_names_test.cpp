// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "frontend/scratch_source.h"
#include "program/text/type_text.h"

namespace heddle::frontend {
namespace HEDDLE_TEST_FILE {

const Type& type_of(const Program& p, std::string_view global) {
  return p.types[p.globals[p.find_global(global)].source_type];
}

const Field* field_of(const Type& type, std::string_view name) {
  const auto it = std::ranges::find(type.fields, name, &Field::name);
  return it == type.fields.end() ? nullptr : &*it;
}

TEST(SourceTypes, StructsKnowTheirMembersAndMayBeRecursive) {
  const Program p = read_text(
      "typedef struct node { struct node *next; const int v; unsigned a : 3, b : 5;\n"
      "  union { int i; float f; }; short m[2][3]; } node_t; node_t n;");
  const Type& node = type_of(p, "n");
  EXPECT_EQ(node.kind, TypeKind::Struct);
  EXPECT_EQ(node.name, "node") << "typedefs are looked through";
  ASSERT_EQ(node.fields.size(), 6u);
  EXPECT_EQ(p.types[field_of(node, "next")->type].element, p.globals[p.find_global("n")].source_type);
  EXPECT_TRUE(field_of(node, "b")->is_bitfield);
  EXPECT_EQ(field_of(node, "b")->offset_bits, 99u);
  EXPECT_EQ(field_of(node, "b")->size_bits, 5u);
  const Field* anonymous = field_of(node, "");
  ASSERT_NE(anonymous, nullptr);
  EXPECT_EQ(p.types[anonymous->type].kind, TypeKind::Union);
  const Type& rows = p.types[field_of(node, "m")->type];
  EXPECT_EQ(rows.count, 2u);
  EXPECT_EQ(p.types[rows.element].count, 3u);
  EXPECT_EQ(p.types[rows.element].size_bits, 48u);
}

TEST(SourceTypes, PointersEnumsAndFlexibleMembers) {
  const Program p =
      read_text("enum E { A = -1, B } e; void *v; int (*fp)(char *, ...); struct F { int n; int d[]; } *f;");
  EXPECT_EQ(type_of(p, "e").kind, TypeKind::Int);
  EXPECT_TRUE(type_of(p, "e").is_signed);
  EXPECT_FALSE(type_of(p, "v").element.valid());
  const Type& function = p.types[type_of(p, "fp").element];
  EXPECT_EQ(function.kind, TypeKind::Function);
  EXPECT_TRUE(function.is_vararg);
  EXPECT_EQ(function.parameters.size(), 1u);
  const Type& record = p.types[type_of(p, "f").element];
  EXPECT_EQ(p.types[field_of(record, "d")->type].count, 0u);
}

TEST(SourceTypes, ClassesHaveBasesAndQualifiedNames) {
  const Program p = read_text(
      "namespace ns { struct Base { int b; virtual void f() {} }; struct Derived : Base { int d; }; }\n"
      "ns::Derived x; int &r = x.d;",
      "unit.cpp");
  const Type& derived = type_of(p, "x");
  EXPECT_EQ(derived.name, "ns::Derived");
  ASSERT_FALSE(derived.fields.empty());
  EXPECT_TRUE(derived.fields.front().is_base);
  EXPECT_EQ(p.types[derived.fields.front().type].name, "ns::Base");
  EXPECT_TRUE(type_of(p, "r").is_reference);
}

bool has_name(const Function& f, std::string_view name, bool names_memory) {
  return std::ranges::any_of(f.names,
                             [&](const ValueName& n) { return n.name == name && n.names_memory == names_memory; });
}

TEST(ValueNames, ComeFromParametersLocalsAndPiecesOfStructs) {
  const Program p = read_text(
      "struct P { int x, y; }; void use(int *); int f(int argument) {\n"
      "  int kept; use(&kept); struct P s = {argument, 2}; s.x *= kept; return s.x + s.y; }");
  const Function& f = p.functions[p.find_function("f")];
  EXPECT_TRUE(has_name(f, "argument", false));
  EXPECT_TRUE(has_name(f, "kept", true));
  EXPECT_TRUE(has_name(f, "s.x", false)) << "sroa cuts structs into members";
  EXPECT_TRUE(std::ranges::is_sorted(f.names, {}, &ValueName::value));
}

TEST(SourceNames, OfFunctionsAreQualifiedAndPlacesAreExact) {
  const ScratchFolder folder;
  const std::string path = folder.write("unit.cpp",
                                        "int g;\ntemplate <class T> struct Stack { void push(T) { g++; } };\n"
                                        "void use() {\n  Stack<int>().push(1);\n}\n");
  const auto p = read_sources({{path, {}}}, {});
  ASSERT_TRUE(p);
  const FunctionId push = p->find_function("_ZN5StackIiE4pushEi");
  ASSERT_TRUE(push.valid());
  EXPECT_EQ(p->functions[push].source_name, "Stack<int>::push");
  for (const Instruction& i : p->functions[push].instructions)
    if (i.opcode == Opcode::Store) EXPECT_EQ(p->where(i.location), path + ":2:51");
}

TEST(SourceNames, LineMarkersOfPreprocessedFilesCount) {
  const Program p = read_text("# 7 \"origin.c\"\nint g;\nvoid f(void) { g = 1; }\n", "unit.i", ilp32);
  EXPECT_EQ(p.where(p.functions[p.find_function("f")].instructions.front().location), "origin.c:8:18");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::frontend
