// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_path.h"

#include <gtest/gtest.h>

namespace heddle {
namespace HEDDLE_TEST_FILE {

class Paths : public testing::Test {
 protected:
  AccessPathId root(std::string name, std::uint32_t value = 0) {
    AccessPath p;
    p.step = PathStep::Local;
    p.function = FunctionId(0);
    p.index = value;
    p.text = std::move(name);
    return table.intern(p);
  }
  AccessPathId step(PathStep kind, AccessPathId parent, std::string text = "", std::int64_t number = 0) {
    AccessPath p;
    p.step = kind;
    p.parent = parent;
    p.text = std::move(text);
    p.number = number;
    return table.intern(p);
  }
  AccessPathId deref(AccessPathId parent) { return step(PathStep::Dereference, parent); }
  AccessPathId reference(AccessPathId parent) {
    AccessPath p;
    p.step = PathStep::Dereference;
    p.is_reference = true;
    p.parent = parent;
    return table.intern(p);
  }
  AccessPathId field(AccessPathId parent, std::string name) { return step(PathStep::Field, parent, std::move(name)); }
  AccessPathId symbol(PathStep kind, AccessPathId parent, std::string text) {
    AccessPath p;
    p.step = kind;
    p.parent = parent;
    p.is_symbolic = true;
    p.text = std::move(text);
    return table.intern(p);
  }
  AccessPathTable table;
};

TEST_F(Paths, EqualChainsAreOneRow) {
  const AccessPathId a = field(deref(root("p", 1)), "x");
  EXPECT_EQ(a, field(deref(root("p", 1)), "x"));
  EXPECT_NE(a, field(deref(root("p", 2)), "x")) << "another value of the same name";
  EXPECT_NE(a, field(deref(root("p", 1)), "y"));
  EXPECT_EQ(step(PathStep::PointerElement, deref(root("p")), "", 0), deref(root("p")));
}

TEST_F(Paths, PrintPointersAndMembers) {
  const AccessPathId p = root("p");
  EXPECT_EQ(table.print(deref(p)), "*p");
  EXPECT_EQ(table.print(deref(deref(p))), "**p");
  EXPECT_EQ(table.print(field(deref(p), "x")), "p->x");
  EXPECT_EQ(table.print(field(deref(deref(p)), "x")), "(*p)->x");
  EXPECT_EQ(table.print(field(deref(field(deref(p), "priv")), "x")), "p->priv->x");
  EXPECT_EQ(table.print(deref(field(deref(p), "x"))), "*p->x");
  EXPECT_EQ(table.print(field(p, "x")), "p.x");
  EXPECT_EQ(table.print_address(deref(p)), "p");
  EXPECT_EQ(table.print_address(field(deref(p), "x")), "&p->x");
}

TEST_F(Paths, PrintSubscripts) {
  const AccessPathId p = root("p");
  EXPECT_EQ(table.print(step(PathStep::Element, p, "", 3)), "p[3]");
  EXPECT_EQ(table.print(step(PathStep::Element, deref(p), "", 3)), "(*p)[3]");
  EXPECT_EQ(table.print(step(PathStep::PointerElement, deref(p), "", -1)), "p[-1]");
  EXPECT_EQ(table.print(field(symbol(PathStep::PointerElement, deref(p), "i"), "m")), "p[i].m");
  const AccessPathId twice = step(PathStep::PointerElement, symbol(PathStep::Element, p, "i"), "", -1);
  EXPECT_EQ(table.print(twice), "p[i - 1]");
  EXPECT_EQ(table.print(symbol(PathStep::PointerElement, symbol(PathStep::PointerElement, deref(p), "i"), "j")),
            "p[i + j]");
}

TEST_F(Paths, PrintReferencesWithoutStar) {
  const AccessPathId r = root("r");
  EXPECT_EQ(table.print(reference(r)), "r");
  EXPECT_EQ(table.print(field(reference(r), "x")), "r.x");
  EXPECT_EQ(table.print_address(reference(r)), "&r");
}

TEST_F(Paths, PrintBasesAsNothing) {
  const AccessPathId base = step(PathStep::Base, deref(root("this")));
  EXPECT_EQ(table.print(field(base, "x")), "this->x");
  EXPECT_EQ(table.print(field(step(PathStep::Base, root("v")), "x")), "v.x");
}

TEST_F(Paths, PrintCastsAndContainers) {
  const AccessPathId p = root("p");
  EXPECT_EQ(table.print(field(step(PathStep::Cast, deref(p), "struct s"), "x")), "((struct s *)p)->x");
  EXPECT_EQ(table.print(field(step(PathStep::Cast, p, "struct s"), "x")), "((struct s *)&p)->x");
  EXPECT_EQ(table.print(step(PathStep::Cast, deref(p), "int")), "*(int *)p");
  EXPECT_EQ(table.print(field(step(PathStep::Container, deref(p), "struct s, list"), "datum")),
            "container_of(p, struct s, list)->datum");
}

TEST_F(Paths, KnowWhetherTheyAreComplete) {
  const AccessPathId p = root("p");
  EXPECT_TRUE(table.is_complete(field(deref(p), "x")));
  EXPECT_FALSE(table.is_complete(step(PathStep::Offset, p, "", 3)));
  EXPECT_FALSE(table.is_complete(field(deref(table.intern({})), "x"))) << "unknown root";
  AccessPath both;
  both.step = PathStep::Overlap;
  both.alternatives = {field(p, "a"), step(PathStep::Offset, p, "", 3)};
  EXPECT_FALSE(table.is_complete(table.intern(both)));
}

TEST_F(Paths, OverlapsListTheirMembers) {
  AccessPath both;
  both.step = PathStep::Overlap;
  both.alternatives = {field(root("u"), "a"), field(root("u"), "b")};
  const AccessPathId id = table.intern(both);
  EXPECT_EQ(table.print(id), "u.a|u.b");
  EXPECT_EQ(table.root(id), root("u"));
  both.alternatives.pop_back();
  EXPECT_EQ(table.intern(both), field(root("u"), "a"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
