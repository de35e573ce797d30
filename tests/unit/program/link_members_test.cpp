// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/link/link_members.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "program/link_sample.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

TEST(LinkTypes, AStructThatIsOnlyNamedIsTheOneThatIsDescribed) {
  /// In a.c `struct list;` and a pointer to `struct owner { struct list *l; }`, in b.c the same with members of list.
  const auto lists = [](std::vector<std::string> members_in, const std::string& c_member) {
    Unit a("a.c"), b("b.c"), c("c.c");
    for (Unit* unit : {&a, &b, &c}) {
      const std::string name = unit == &a ? "a.c" : unit == &b ? "b.c" : "c.c";
      ProgramBuilder& p = unit->b;
      const TypeId list = p.source_struct("list");
      if (std::ranges::find(members_in, name) != members_in.end())
        p.set_fields(list, {{unit == &c ? c_member : std::string("n"), p.source_int()}});
      const Operand g = unit->global("g" + name, "", Linkage::External);
      p.edit(g).source_type = p.source_pointer(p.source_struct("owner", {{"l", p.source_pointer(list)}}));
    }
    const Linked l = linked_of(a, b, c);
    std::size_t members = 0;
    for (const Type& t : l.program.types)
      if (t.name == "list") members += t.fields.size();
    return std::tuple(std::ranges::count(l.program.types, "list", &Type::name),
                      std::ranges::count(l.program.types, "owner", &Type::name), members);
  };
  using Counts = std::tuple<std::ptrdiff_t, std::ptrdiff_t, std::size_t>;
  EXPECT_EQ(lists({"b.c"}, "n"), Counts(1, 1, 1));
  EXPECT_EQ(lists({"a.c", "c.c"}, "n"), Counts(1, 1, 1));
  EXPECT_EQ(lists({}, "n"), Counts(1, 1, 0));
  EXPECT_EQ(lists({"b.c", "c.c"}, "other"), Counts(3, 3, 2)) << "nobody can say which one a.c means";
}

TEST(LinkMembers, MembersOfLibrariesComeInIfTheyAreNeeded) {
  const auto names = [](bool main_is_member) {
    Unit main("main.c"), list("list.c"), second("second.c"), heap("heap.c"), map("map.c"), weak("weak.c");
    main.caller("main", main.declare("f"));
    main.b.edit(main.declare("w")).may_be_missing = true;
    list.caller("f", list.declare("g"));
    second.function("f", 2);  // list.c comes first
    heap.function("g", 3);
    map.function("h", 4);
    weak.function("w", 5);
    std::vector<Program> units;
    for (Unit* unit : {&main, &list, &second, &heap, &map, &weak}) units.push_back(unit->take());
    keep_needed_members(units, {main_is_member, true, true, true, true, true});
    std::string out;
    for (const Program& unit : units) out += unit.units.front() + " ";
    return out;
  };
  EXPECT_EQ(names(false), "main.c list.c heap.c ");
  EXPECT_EQ(names(true), "") << "nothing needs anything";
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
