// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks that are held although the function that makes the access does not take them by the name it uses.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

const std::string nodes_h = threads_h + R"(
struct node { pthread_mutex_t l; struct node *next; int x; struct set *owner, *user; }; struct set { pthread_mutex_t l; struct node *list, *other; } s0;
)";

/// Two threads do `get`.
Scanned both_do(const std::string& text) {
  return Scanned(nodes_h + text + R"(
void *w(void *a) { get(a); return 0; }
int main(void) { pthread_t p, q; pthread_create(&p, 0, w, &s0); pthread_create(&q, 0, w, &s0); return 0; })");
}

std::vector<std::string> about_x(const Scanned& scanned) {
  std::vector<std::string> out;
  for (const std::string& line : scanned.warnings())
    if (line.contains("->x: write get / write get")) out.push_back(line.starts_with("?") ? "unlikely" : "likely");
  return out;
}

TEST(HeldLocks, TryLockInAHelperOfANodeThatIsReturned) {
  const std::string find = R"(
    int try_it(struct node *n) { if (pthread_mutex_trylock(&n->l)) return 1; return 0; }
    struct node *find(struct set *s) { struct node *n; for (n = s->list; n; n = n->next) if (!try_it(n)) goto out;
      n = malloc(sizeof *n); take(&n->l); out: return n; })";
  EXPECT_EQ(about_x(both_do(find + "void get(struct set *s) { struct node *n = find(s); n->x = 1; give(&n->l); }")),
            Lines{});
  EXPECT_EQ(about_x(both_do(find + "void get(struct set *s) { struct node *n = find(s); give(&n->l); n->x = 1; }")),
            Lines{"likely"});
  // One of the ways there does not lock.
  EXPECT_EQ(about_x(both_do(R"(
    struct node *find(struct set *s) { struct node *n = s->list; if (!n) return s->other; take(&n->l); return n; }
    void get(struct set *s) { struct node *n = find(s); n->x = 1; give(&n->l); })")),
            Lines{"likely"});
}

TEST(HeldLocks, OneOfTwoNodesUnderItsOtherName) {
  const std::string begin = "int rand(void); void get(struct set *s) { struct node *a = s->list, *b = s->other, *n;";
  EXPECT_EQ(about_x(both_do(
                begin + "if (rand()) { n = a; take(&a->l); } else { n = b; take(&b->l); } n->x = 1; give(&n->l); }")),
            Lines{});
  EXPECT_EQ(about_x(both_do(begin + "if (rand()) { n = a; take(&a->l); } else { n = b; } n->x = 1; give(&n->l); }")),
            Lines{"likely"});
  // Given back under the one name, it is not held under the other.
  EXPECT_EQ(about_x(both_do(
                begin + "take(&a->l); if (rand()) n = a; else { n = a->next; take(&n->l); } give(&n->l); a->x = 1; }")),
            Lines{"likely"});
}

TEST(HeldLocks, OneLocksetHasOtherNamesForOtherData) {
  const std::string begin = "void get(struct set *s) { struct node *n = s->list, *m = s->other; take(&n->l); n->x = 1;";
  EXPECT_EQ(about_x(both_do(begin + "give(&n->l); }")), Lines{});
  // The other node is not the one that is locked.
  EXPECT_FALSE(both_do(begin + "m->x = 1; give(&n->l); }").warnings().empty());
  // Some come to the data from further away.
  EXPECT_EQ(Scanned(nodes_h + R"(
    struct outer { long pad; struct node in; } o;
    void set(struct node *n) { take(&n->l); n->x = 1; n->owner = 0; give(&n->l); }
    void *near(void *n) { set(n); return 0; }
    void *far(void *out) { struct outer *all = out; set(&all->in); return 0; }
    int main(void) { pthread_t p, q; pthread_create(&p, 0, near, &o.in); pthread_create(&q, 0, far, &o); return 0; })")
                .warnings(),
            Lines{});
}

TEST(HeldLocks, LockOfTheCallersParameterIsADoubtForWhatHasNoName) {
  const std::string set = "void set(struct set *s) { struct node *n = s->other; if (!n) n = s->list; n->x = 1; }";
  const auto about_set = [&](const std::string& get) {
    std::vector<std::string> out;
    for (const std::string& line : both_do(set + get).warnings())
      if (line.contains("n->x: write set / write set")) out.push_back(line.starts_with("?") ? "unlikely" : "likely");
    return out;
  };
  EXPECT_EQ(about_set("void get(struct set *s) { take(&s->l); set(s); give(&s->l); }"), Lines{"unlikely"});
  EXPECT_EQ(about_set("void get(struct set *s) { take(&s->l); give(&s->l); set(s); }"), Lines{"likely"});
  // On every way there, or not at all.
  EXPECT_EQ(about_set("void get(struct set *s) { take(&s->l); set(s); give(&s->l); set(s); }"), Lines{"likely"});
}

TEST(HeldLocks, LockThatACalleeLeavesHeldHasAKind) {
  const std::string lock = R"(int rand(void);
    void lock_one(struct set *s) { struct node *n = s->other; if (rand()) n = s->list; take(&n->l); }
    void unlock_one(struct node *n) { give(&n->l); })";
  EXPECT_EQ(about_x(both_do(lock + "void get(struct set *s) { lock_one(s); s->list->x = 1; unlock_one(s->list); }")),
            Lines{"unlikely"});
  EXPECT_EQ(about_x(both_do(lock + "void get(struct set *s) { lock_one(s); unlock_one(s->list); s->list->x = 1; }")),
            Lines{"likely"});
}

TEST(HeldLocks, LockOfWhatTheDataPointsTo) {
  const std::string find = "int rand(void); struct node *find(struct set *s) { return rand() ? s->list : s->other; }";
  const std::string begin = find + "void get(struct set *s) { struct node *n = find(s); ";
  EXPECT_EQ(about_x(both_do(begin + "take(&n->owner->l); n->x = 1; give(&n->owner->l); }")), Lines{});
  EXPECT_EQ(about_x(both_do(begin + "take(&n->next->owner->l); n->x = 1; give(&n->next->owner->l); }")), Lines{});
  EXPECT_EQ(about_x(both_do(begin + "if (rand()) take(&n->owner->l); else take(&n->user->l); n->x = 1; }")),
            Lines{"likely"});
}

TEST(HeldLocks, AccessWithoutANameUnderALockOfAParameterIsNotLost) {
  const Scanned scanned(nodes_h + R"(
    void set(struct set *s) { take(&s->l); struct node *n = s->other; if (!n) n = s->list; n->x = 1; give(&s->l); }
    void *w(void *a) { set(a); return 0; }
    int main(void) { pthread_t p; pthread_create(&p, 0, w, &s0); s0.list->x = 2; return 0; })");
  EXPECT_EQ(scanned.warnings(), Lines{"s0.list->x: write main / write set"});
}

TEST(HeldLocks, GuardObjectsAreFollowedToTheirLocks) {
  const std::string guard = R"(int x, rand(void); pthread_mutex_t m; void show(void *);
    struct guard { pthread_mutex_t *lock; int owns; };
    void enter(struct guard *g, pthread_mutex_t *l) { g->lock = l; g->owns = 0; take(g->lock); g->owns = 1; }
    void unlock(struct guard *g) { give(g->lock); g->owns = 0; }
    void lock(struct guard *g) { take(g->lock); g->owns = 1; }
    void leave(struct guard *g) { if (g->owns) unlock(g); }
    void *w(void *a) { )";
  const std::string end = R"( return 0; }
    int main(void) { pthread_t p, q; pthread_create(&p, 0, w, 0); pthread_create(&q, 0, w, 0); return 0; })";
  const auto likely = [&](const std::string& body) {
    return std::ranges::count(Scanned(threads_h + guard + body + end).warnings(), "x: write w / write w");
  };
  EXPECT_EQ(likely("struct guard g; enter(&g, &m); x = 1; leave(&g);"), 0);
  EXPECT_EQ(likely("struct guard g; enter(&g, &m); unlock(&g); lock(&g); x = 1; leave(&g);"), 0);
  EXPECT_EQ(likely("struct guard g; enter(&g, &m); while (rand()) { unlock(&g); lock(&g); } x = 1; leave(&g);"), 0);
  EXPECT_EQ(likely("struct guard g; enter(&g, &m); unlock(&g); x = 1; lock(&g); leave(&g);"), 1);
  EXPECT_EQ(likely("struct guard g; enter(&g, &m); leave(&g); x = 1;"), 1);
  // Nobody knows what is in the guard then, and so what leave() gives back.
  EXPECT_EQ(likely("struct guard g; enter(&g, &m); while (rand()) { *(pthread_mutex_t **)&g = a; } leave(&g); x = 1;"),
            1);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
