// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that only ever holds one address, and everything that makes it hold another one.
#include "alias/locks/settled_pointers.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "frontend/scratch_source.h"

namespace heddle::alias {
namespace HEDDLE_TEST_FILE {

/// Where the pointer in `p` leads, or, with `offset`, the one so far behind what `p` leads to: `m`, `m + 8`; empty: it
/// is not settled.
std::string settled(const std::string& text, std::int32_t offset = -1) {
  const std::string begin =
      "typedef struct { long word[5]; } L; struct obj { long id; L *lock; L own; }; L m, n; int rand(void); "
      "void *malloc(unsigned long); void free(void *); void unknown(void *); int sscanf(const char *, const char *, "
      "...); "
      "void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long); ";
  const api::ApiModels models = *api::ApiModels::shipped();
  const Program program = frontend::read_text(begin + text);
  const AliasFacts aliases = find_aliases(program, models, {});
  const SettledPointers pointers(program, models, aliases);
  Place at = aliases.place({}, Operand::global(program.find_global("p")));
  if (offset >= 0) {
    at = aliases.content(at);
    at.offset += offset;
  }
  const auto found = pointers.at(at);
  if (!found) return "";
  return std::string(program.globals[found->global].name) +
         (found->offset == 0 ? "" : " + " + std::to_string(found->offset));
}

TEST(SettledPointers, Initialisers) {
  EXPECT_EQ(settled("L *p = &m; void f(void) { p->word[0] = 1; }"), "m");
  EXPECT_EQ(settled("struct obj o; L *p = &o.own; void f(void) { p->word[0] = 1; }"), "o + 16");
  EXPECT_EQ(settled("L *p; L *f(void) { return p; }"), "");
  EXPECT_EQ(settled("extern L *p; L *f(void) { return p; }"), "");
  EXPECT_EQ(settled("L *p = (L *)8; L *f(void) { return p; }"), "");
}

TEST(SettledPointers, Stores) {
  EXPECT_EQ(settled("L *p; void f(void) { p = &m; }"), "m");
  EXPECT_EQ(settled("L *p; void f(void) { p = &m; } void g(void) { p = 0; }"), "m");
  EXPECT_EQ(settled("L *p; void set(L *l) { p = l; } void f(void) { set(&m); } int main(void) { f(); return 0; }"),
            "m");
  EXPECT_EQ(settled("L *p = &m; void f(void) { p = &m; }"), "m");
  EXPECT_EQ(settled("L *p = &n; void f(void) { p = &m; }"), "");
  EXPECT_EQ(settled("L *p; void f(void) { p = &m; } void g(void) { p = &n; }"), "");
  EXPECT_EQ(settled("L *p; void f(L *l) { p = l; }"), "");
  EXPECT_EQ(settled("L *p; void f(void) { p = &m; } void g(L **q) { *q = &n; } void h(void) { g(&p); }"), "");
  EXPECT_EQ(settled("L *p; void f(void) { p = &m; *(char *)&p = 1; }"), "");
  EXPECT_EQ(settled("L *p = &m; void f(void) { __atomic_exchange_n((long *)&p, 8, 5); }"), "");
}

TEST(SettledPointers, MembersOfHeapObjects) {
  const std::string make = "struct obj *p; void make(void) { p = malloc(sizeof *p); p->lock = &m; p->id = 1; } ";
  EXPECT_EQ(settled(make, 8), "m");
  EXPECT_EQ(settled(make + "void end(void) { free(p); }", 8), "m");
  EXPECT_EQ(settled(make + "void other(void) { p->lock = &n; }", 8), "");
  EXPECT_EQ(settled(make + "void other(struct obj *o) { o->lock = &n; } void f(void) { other(p); }", 8), "");
  EXPECT_EQ(settled(make + "struct obj one; void f(void) { *p = one; }", 8), "");
  EXPECT_EQ(settled(make + "void f(void) { memset(p, 0, sizeof *p); }", 8), "m");
  EXPECT_EQ(settled(make + "void f(void) { memset(p, 1, sizeof *p); }", 8), "");
}

TEST(SettledPointers, Libraries) {
  EXPECT_EQ(settled("L *p = &m; void f(void) { unknown(&p); }"), "");
  EXPECT_EQ(settled("L *p = &m; void f(void) { unknown(&n); }"), "m");
  EXPECT_EQ(settled("struct obj o = {1, &m}, *p = &o; void f(void) { unknown(&p); }", 8), "");
  EXPECT_EQ(settled("L *p = &m; void f(const char *t) { sscanf(t, \"%p\", &p); }"), "");
  EXPECT_EQ(settled("L *p = &m, *q = &n; void f(void) { memcpy(&p, &q, sizeof p); }"), "");
  EXPECT_EQ(settled("L *p = &m; void f(void) { asm(\"\" : : \"r\"(&p) : \"memory\"); }"), "");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::alias
