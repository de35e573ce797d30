// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks that are given back by another name than they were taken by: what was protected by them is a candidate again.
#include <gtest/gtest.h>

#include "scan/names/one_place.h"
#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

/// As in glibc, a mutex is a union.
const std::string union_h = R"(
typedef unsigned long pthread_t; typedef union { struct { int lock; long rest[4]; } data; char size[40]; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *); int rand(void);
#define take pthread_mutex_lock
#define give pthread_mutex_unlock
)";

/// Whether two workers that do this race on `x`.
bool races(const std::string& before, const std::string& body, const Assumptions& assumptions = {}) {
  const std::string text = union_h + before + "\nvoid *worker(void *arg) { " + body +
                           " return 0; }\nint main(void) { pthread_t t; for (int i = 0; i < 3; i++) "
                           "pthread_create(&t, 0, worker, 0); }\n";
  return std::ranges::any_of(Scanned(text, 1, assumptions).warnings(), [](const std::string& warning) {
    return warning.contains("x: ") || warning.contains("->x: ");
  });
}

TEST(ReleasedLocks, OneOfSeveral) {
  const std::string locks = "pthread_mutex_t a, b, c; int x; void spare(pthread_mutex_t *m) { give(m); }";
  const std::string choice = "pthread_mutex_t *m = &a; if (rand()) m = &b; ";
  EXPECT_TRUE(races(locks, "take(&b); " + choice + "give(m); x++;"));
  EXPECT_TRUE(races(locks, "take(&b); " + choice + "spare(m); x++;"));
  EXPECT_TRUE(races(locks, "take(&a); take(&b); give(rand() ? &a : &b); x++;")) << "neither is surely held";
  EXPECT_FALSE(races(locks, "take(&c); take(&b); " + choice + "give(m); x++; give(&c);")) << "c is none of them";
  EXPECT_FALSE(races(locks, choice + "take(&c); take(m); give(m); x++; give(&c);"));
}

TEST(ReleasedLocks, OneOfSeveralInACallee) {
  const std::string locks =
      "pthread_mutex_t a, b; int x; void drop(int c) { pthread_mutex_t *m = c ? &a : &b; give(m); }";
  EXPECT_TRUE(races(locks, "take(&b); drop(rand()); x++;"));
}

TEST(ReleasedLocks, ByAPointerInMemory) {
  const std::string locks = "pthread_mutex_t a, b, *current = &a; int x;";
  EXPECT_TRUE(races(locks, "take(&a); give(current); x++;"));
  EXPECT_TRUE(races(locks, "take(current); give(&a); x++;"));
  EXPECT_FALSE(races(locks, "take(&b); give(current); x++; give(&b);")) << "no pointer leads to b";
  EXPECT_FALSE(races(locks, "take(&b); take(current); x++; give(current); give(&b);"));
}

TEST(ReleasedLocks, ByAnUntypedPointer) {
  EXPECT_TRUE(races("pthread_mutex_t a; void *kept = &a; int x;", "take(&a); give(kept); x++;"));
}

TEST(ReleasedLocks, OfAnObjectThatTheCalleeFinds) {
  const std::string list =
      "struct item { struct item *next; pthread_mutex_t lock; int id, x; } *items;"
      "struct item *look(int id) { struct item *i = items; while (i && i->id != id) i = i->next; return i; }";
  EXPECT_TRUE(races(list + "void leave(int id) { struct item *i = look(id); if (i) give(&i->lock); }",
                    "struct item *i = look(3); take(&i->lock); leave(3); i->x++;"));
  EXPECT_TRUE(races(list + "void leave(struct item *i) { give(&i->lock); }",
                    "struct item *i = look(3), *k = look(4); take(&i->lock); leave(k); i->x++;"));
  EXPECT_FALSE(races(list + "void leave(struct item *i) { give(&i->lock); }",
                     "struct item *i = look(3); take(&i->lock); i->x++; leave(i);"));
}

TEST(ReleasedLocks, OfAParameter) {
  const std::string all =
      "struct box { int pad; pthread_mutex_t lock; } box, other; struct { pthread_mutex_t lock; } apart; int x; "
      "void bump(void) { x++; } void pause(struct box *b) { give(&b->lock); bump(); take(&b->lock); }"
      "void rest(pthread_mutex_t *m) { give(m); bump(); take(m); }";
  EXPECT_TRUE(races(all, "take(&box.lock); pause(&box); give(&box.lock);"));
  EXPECT_TRUE(races(all, "take(&box.lock); rest(&box.lock); give(&box.lock);")) << "by a pointer to the member";
  EXPECT_FALSE(races(all, "take(&apart.lock); take(&box.lock); pause(&box); give(&box.lock); give(&apart.lock);"))
      << "a lock of another kind stays";
}

TEST(ReleasedLocks, AsOftenAsTheCalleeDoes) {
  const std::string nested =
      "pthread_mutex_t m; int x; void once(void) { give(&m); } void both(void) { once(); once(); }";
  EXPECT_TRUE(races(nested, "take(&m); take(&m); both(); x++;"));
  EXPECT_FALSE(races(nested, "take(&m); take(&m); once(); x++; once();"));
  EXPECT_TRUE(races(nested + "void all(int n) { while (n--) once(); }", "take(&m); take(&m); take(&m); all(3); x++;"));
}

TEST(ReleasedLocks, WithoutTypesEveryPlaceMayBeMeant) {
  const std::string two =
      "struct a { pthread_mutex_t lock; int x; } *first; struct b { int pad; pthread_mutex_t lock; } *second;";
  Assumptions untyped;
  untyped.drop("typed-memory");
  EXPECT_FALSE(races(two, "struct a *p = first; take(&p->lock); give(&second->lock); p->x++;"));
  EXPECT_TRUE(races(two, "struct a *p = first; take(&p->lock); give(&second->lock); p->x++;", untyped));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
