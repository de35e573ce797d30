// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pointer `p` can point to, by inclusion and with offsets.
#include "alias/inclusion/points_to.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "frontend/scratch_source.h"

namespace heddle::alias {
namespace HEDDLE_TEST_FILE {

std::string shown(const Program& program, const PointsTo& points, const Target& target) {
  const PointedObject& object = points.object(target.object);
  std::string out;
  switch (object.kind) {
    case PointedObject::Kind::Global: out = program.globals[object.global].name; break;
    case PointedObject::Kind::Function: out = program.functions[object.function].name; break;
    case PointedObject::Kind::Local: out = "local"; break;
    case PointedObject::Kind::Made: out = "made"; break;
    case PointedObject::Kind::Passed: out = "passed"; break;
    case PointedObject::Kind::Library: out = "library"; break;
    case PointedObject::Kind::Unknown: return "unknown";
  }
  if (target.offset == anywhere) return out + "+*";
  if (target.offset != 0) out += "+" + std::to_string(target.offset);
  if (target.extent != 0)
    out += ".." + std::to_string(target.offset + target.extent) + "/" + std::to_string(target.step);
  return target.is_past ? out + " (behind)" : out;
}

/// What the global `p` can hold: `x y+8 z+*`; or why that is not known.
std::string held(const std::string& text) {
  const std::string begin =
      "struct tty { int count; struct tty *next; }; struct file { long id; void *data; }; "
      "struct tty x, y, z[4]; struct file f, g; void *p; int rand(void); "
      "void *malloc(unsigned long); void *realloc(void *, unsigned long); void unknown(void *); void *given(void); "
      "void *memcpy(void *, const void *, unsigned long); char *strchr(const char *, int); "
      "long read(int, void *, unsigned long); int snprintf(char *, unsigned long, const char *, ...); ";
  const api::ApiModels models = *api::ApiModels::shipped();
  const Program program = frontend::read_text(begin + text);
  const PointsTo points(program, models);
  if (!points.why_incomplete().empty()) return points.why_incomplete();
  const ObjectIndex* p = points.find({PointedObject::Kind::Global, program.find_global("p"), {}, 0});
  if (p == nullptr) return "";
  std::set<std::string> names;
  for (const Target& target : points.contents({*p, 0}, 8)) names.insert(shown(program, points, target));
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " ") + name;
  return out;
}

TEST(PointsTo, Stores) {
  EXPECT_EQ(held("void a(void) { p = &x; }"), "x");
  EXPECT_EQ(held("void a(void) { p = &x; } void b(void) { p = &y.next; }"), "x y+8");
  EXPECT_EQ(held("void a(void) { f.data = &x; g.data = &y; p = f.data; }"), "x");
  EXPECT_EQ(held("struct file h = {1, &y.next}; void a(void) { p = h.data; }"), "y+8");
  EXPECT_EQ(held("void a(void) { p = &z[rand()]; }"), "z z+16 z+32 z+48 z+64 (behind)");
  EXPECT_EQ(held("void a(void) { p = &z[rand()].next; }"), "z+24 z+40 z+56 z+72 (behind) z+8");
  EXPECT_EQ(held("struct tty many[100]; void a(void) { p = &many[rand()]; }"), "many+1600 (behind) many..1584/16");
  // Behind the last element, and back.
  EXPECT_EQ(held("void a(void) { struct tty *end = &z[rand()]; p = end - 1; }"),
            "z z+-16 z+16 z+32 z+48 z+48 (behind)");
  EXPECT_EQ(held("void a(void) { p = (char *)&z[1] + rand(); }"), "z+*");
  EXPECT_EQ(held("void a(void) { p = &z[2].next; }"), "z+40");
  EXPECT_EQ(held("void a(void) { p = rand() ? (void *)&x : (void *)&y; }"), "x y");
}

/// One value that can be both does not make them one.
TEST(PointsTo, IsNotSymmetric) {
  EXPECT_EQ(held("struct file *q; void a(void) { f.data = &x; g.data = &y; q = &f; q = &g; p = f.data; }"), "x");
  EXPECT_EQ(held("struct file *q; void a(void) { f.data = &x; g.data = &y; q = &f; q = &g; p = q->data; }"), "x y");
  EXPECT_EQ(held("void set(struct file *to, void *d) { to->data = d; } "
                 "void a(void) { set(&f, &x); set(&g, &y); p = f.data; }"),
            "x y");
}

TEST(PointsTo, Functions) {
  EXPECT_EQ(held("void *same(void *q) { return q; } void a(void) { p = same(&x); }"), "x");
  EXPECT_EQ(held("void put(void *q) { p = q; } void (*how)(void *) = put; void a(void) { how(&x); }"), "x");
  EXPECT_EQ(held("void put(void *q) { p = q; } struct ops { void (*one)(void *), (*two)(void *); }; "
                 "struct ops ops = {0, put}; void a(struct ops *o) { o->two(&x); } void b(void) { a(&ops); }"),
            "x");
  EXPECT_EQ(held("\n#include <pthread.h>\nvoid *run(void *q) { p = q; return 0; } "
                 "void a(void) { pthread_t t; pthread_create(&t, 0, run, &x); }"),
            "x");
  EXPECT_EQ(held("\n#include <pthread.h>\nvoid *run(void *q) { return q; } "
                 "void a(void) { pthread_t t; pthread_create(&t, 0, run, &x); pthread_join(t, &p); }"),
            "x");
  EXPECT_EQ(held("\n#include <stdarg.h>\nvoid put(int n, ...) { va_list l; va_start(l, n); p = va_arg(l, void *); } "
                 "void a(void) { put(1, &x); }")
                    .find("x") != std::string::npos,
            true);
  EXPECT_EQ(held("struct big { long l[4]; void *q; }; void put(struct big b) { p = b.q; } "
                 "void a(struct big *b) { b->q = &x; put(*b); } struct big one; void c(void) { a(&one); }"),
            "x");
}

TEST(PointsTo, MemoryThatIsCopied) {
  EXPECT_EQ(held("void a(void) { f.data = &x; g = f; p = g.data; }"), "x");
  EXPECT_EQ(held("void a(void) { f.data = &x; memcpy(&g, &f, sizeof f); p = (void *)g.id; }"), "unknown");
  EXPECT_EQ(held("void a(void) { f.data = &x; memcpy(&g, &f, rand()); p = g.data; }"), "x+*");
  EXPECT_EQ(
      held("void a(void) { f.data = &x; for (unsigned i = 0; i < sizeof f; ++i) ((char *)&g)[i] = ((char *)&f)[i]; "
           "p = g.data; }"),
      "x+*");
  EXPECT_EQ(held("void a(void) { struct file *q = malloc(sizeof *q); q->data = &x; q = realloc(q, 99); p = q->data; }"),
            "x");
  EXPECT_EQ(held("void a(void) { p = malloc(8); }"), "made");
}

TEST(PointsTo, WhatIsChangedInPlace) {
  EXPECT_EQ(held("void a(void) { p = &x; __atomic_fetch_add((long *)&p, 8, 5); }"), "x+*");
  EXPECT_EQ(held("void a(void) { p = &x; __atomic_fetch_or((long *)&p, 8, 5); }"), "x+*");
  EXPECT_EQ(held("void a(void) { p = &x; __atomic_exchange_n(&p, &y.next, 5); }"), "x y+8");
  EXPECT_EQ(held("void a(void) { p = &x; __sync_bool_compare_and_swap(&p, &x, &y.next); }"), "x y+8");
  EXPECT_EQ(held("void a(void) { p = &x; *(char *)&p = 0; }"), "x+*");
  EXPECT_EQ(held("void a(void) { p = &x; __builtin_memset(&p, 0, 1); }"), "x+*");
  EXPECT_EQ(held("void a(void) { p = &x; __builtin_memset(&p, 0, 8); }"), "x");
  EXPECT_EQ(
      held("void a(void) { f.data = &x; memcpy(&p, &f.data, 4); memcpy((char *)&p + 4, (char *)&f.data + 4, 4); }"),
      "x+*");
  // What lies beside it is not it.
  EXPECT_EQ(held("void a(void) { f.data = &x; *(int *)&f.id = 3; __builtin_memset(&f, 0, 4); p = f.data; }"), "x");
  EXPECT_EQ(held("void a(void) { for (int i = 0; i < 4; ++i) { z[i].next = &x; z[i].count = i; } p = z[1].next; }"),
            "x");
  EXPECT_EQ(held("struct tty many[100]; void a(void) { many[rand()].next = &x; many[rand()].count = 1; "
                 "p = many[1].next; }"),
            "x");
}

TEST(PointsTo, Numbers) {
  EXPECT_EQ(held("void a(void) { p = (void *)((unsigned long)&x | 1); }"), "unknown x+*");
  EXPECT_EQ(held("void a(void) { p = (void *)0x4000; }"), "unknown");
  EXPECT_EQ(held("void a(void) { p = 0; }"), "");
  EXPECT_EQ(held("struct tty *of(struct tty **q) { return (struct tty *)((char *)q - 8); } "
                 "void a(void) { p = of(&x.next); }"),
            "x");
}

TEST(PointsTo, Outside) {
  EXPECT_EQ(held("void a(void) { unknown(&x); p = given(); }"), "unknown x+*");
  EXPECT_EQ(held("void a(void) { f.data = &x; unknown(&f); p = given(); }"), "f+* unknown x+*");
  EXPECT_EQ(held("void a(void) { unknown(&p); }"), "p+* unknown");
  EXPECT_EQ(held("void a(char *s) { p = strchr((char *)&x, 1); }"), "x+*");
  EXPECT_EQ(held("void a(void) { read(0, &f, sizeof f); p = f.data; }"), "unknown");
  EXPECT_EQ(held("void a(void) { read(0, &f, 8); p = f.data; }"), "");
  EXPECT_EQ(held("struct named { char name[8]; void *q; } n; void a(void) { n.q = &x; "
                 "snprintf(n.name, sizeof n.name, \"%d\", 1); p = n.q; }"),
            "x");
}

/// A pointer that walks ends as one to anywhere.
TEST(PointsTo, Ends) {
  EXPECT_EQ(held("char buffer[4096]; void a(void) { char *c = buffer; while (rand()) c += 2; p = c; }"), "buffer+*");
  EXPECT_EQ(held("void a(void) { struct tty *t = &x; t->next = &y; y.next = &x; while (rand()) t = t->next; p = t; }"),
            "x y");
  EXPECT_EQ(held("void *loop; void a(void) { loop = &loop; p = *(void **)loop; }"), "loop");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::alias
