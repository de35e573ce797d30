// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What never gets from its thread to another: no warnings; and each way to another thread: a warning.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace {

/// Two workers have a store each, whose memory `put` makes or finds and writes.
Scanned stores(const std::string& put, const std::string& before = "", const std::string& behind = "") {
  return Scanned(threads_h + R"(
void *malloc(unsigned long); void *memcpy(void *, const void *, unsigned long); long read(int, void *, unsigned long);
struct item { int n; struct item *next; }; struct store { struct item *items; int count; };
static struct item *shared; static struct store kept;
)" + before + "\nstatic void put(struct store *s) { " +
                 put + R"( s->items->n++; }
void *worker(void *arg) { struct store s = {0, 0}; put(&s); put(&s); )" +
                 behind + R"( return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0); return 0; }
)");
}
const std::string make = "if (!s->count) { s->items = malloc(sizeof(struct item)); s->count = 1; } ";

std::size_t on_items(const Scanned& s) {
  std::size_t found = 0;
  for (const ReportRace& race : s.report().races)
    found += race.accesses[0].function == "put" && race.accesses[1].function == "put" ? 1 : 0;
  return found;
}

TEST(OwnObjects, MemoryBehindALocalIsItsThreadsOwn) {
  EXPECT_EQ(on_items(stores(make)), 0U);
  EXPECT_EQ(on_items(stores(make + "s->items->next = malloc(sizeof(struct item)); ")), 0U);
}

constexpr const char* wrappers = R"(
void free(void *); void *realloc(void *, unsigned long); void abort(void);
static void *get(unsigned long n) { void *p = malloc(n); if (!p) abort(); return p; }
static void *again(void *q, unsigned long n) { void *p = realloc(q, n); if (!p) abort(); return p; }
static void drop(void *p) { free(p); }
static void fill(void) { shared = get(sizeof(struct item)); shared = again(shared, 99); drop(kept.items); }
)";

TEST(OwnObjects, WrappersOfMallocAndFreeGiveNothingAway) {
  const std::string mine = "s->items = get(sizeof(struct item)); s->items = again(s->items, 2 * sizeof(struct item)); ";
  EXPECT_EQ(on_items(stores(mine, wrappers, "fill(); drop(s.items);")), 0U);
  EXPECT_GT(on_items(stores(mine, wrappers, "fill(); drop(s.items); shared = s.items;")), 0U);
  EXPECT_GT(on_items(stores("s->items = again(shared, 80); ", wrappers, "fill();")), 0U);
}

TEST(OwnObjects, WhatAGlobalLeadsToIsNot) {
  EXPECT_GT(on_items(stores("s->items = shared;")), 0U);
  EXPECT_GT(on_items(stores(make + "shared = s->items; ")), 0U);
  EXPECT_GT(on_items(stores(make, "", "shared = s.items;")), 0U);
  EXPECT_GT(on_items(stores(make, "", "memcpy(&kept, &s, sizeof s);")), 0U) << "by a copy of the struct";
  EXPECT_GT(on_items(stores(make, "", "kept = s;")), 0U) << "likewise";
}

TEST(OwnObjects, WhatIsReadFromOutsideMayBeAnyAddress) {
  EXPECT_GT(on_items(stores(make, "", "read(0, &s.items, sizeof s.items);")), 0U);
}

TEST(OwnObjects, WhatAnUnknownFunctionIsGivenIsNot) {
  EXPECT_GT(on_items(stores(make, "void hand_on(struct item *);", "hand_on(s.items);")), 0U);
}

TEST(OwnObjects, WhatAThreadIsGivenIsNot) {
  EXPECT_GT(on_items(stores(make, "static void *other(void *arg) { struct item *i = arg; i->n = 1; return 0; }",
                            "pthread_t o; pthread_create(&o, 0, other, s.items); put(&s);")),
            0U);
}

}  // namespace
}  // namespace heddle::scan
