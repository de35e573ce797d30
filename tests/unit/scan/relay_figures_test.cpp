// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worked examples of the RELAY paper, as far as its text says what comes out.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

const std::string airo = threads_h + R"(
struct airo { pthread_mutex_t lock; struct { int ev; } pwr; struct { int rx_p; } stats; };
struct device { struct airo *priv; };
int vals[10];
void airo_read_stats(struct airo *ai) {
  if (ai->pwr.ev) { give(&ai->lock); return; }
  give(&ai->lock);
  ai->stats.rx_p = vals[0];
}
void *airo_thread(void *d) {
  struct device *dev = d;
  struct airo *ai;
  ai = dev->priv;
  take(&ai->lock);
  airo_read_stats(ai);
  return 0;
}
struct device shared;
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, airo_thread, &shared);
}
)";

TEST(RelayFigure1, LockIsReleasedForTheCaller) {
  const Scanned s(airo);
  EXPECT_EQ(s.exit("airo_read_stats"), "({},{ai->lock})");
  EXPECT_EQ(s.accesses("airo_read_stats"),
            (Lines{"ai->pwr.ev R ({},{})", "ai->stats.rx_p W ({},{ai->lock})", "vals[0] R ({},{ai->lock})"}));
}

TEST(RelayFigure1, CallerReexpressesWhatItsCalleeDoes) {
  const Scanned s(airo);
  EXPECT_EQ(s.exit("airo_thread"), "({},{})");
  EXPECT_EQ(s.accesses("airo_thread"), (Lines{"d->priv R ({},{})", "d->priv->pwr.ev R ({d->priv->lock},{})",
                                              "d->priv->stats.rx_p W ({},{})", "vals[0] R ({},{})"}));
}

TEST(RelayFigure1, OneWarning) {
  EXPECT_EQ(Scanned(airo).warnings(), (Lines{"ai->stats.rx_p: write airo_read_stats / write airo_read_stats"}));
}

TEST(RelayFigure8, InitialisationOfWhatNobodyKnowsYetIsNoWarning) {
  const Scanned s(threads_h + R"(
struct conn { struct conn *next; int family; };
struct conn *head; pthread_mutex_t l;
static void create(struct conn **out) { struct conn *c = malloc(sizeof *c); c->next = 0; *out = c; }
void *worker(void *arg) {
  struct conn *c;
  create(&c);
  c->family = 2;
  take(&l); c->next = head; head = c; c->family++; give(&l);
  return 0;
}
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0); }
)");
  EXPECT_EQ(s.warnings(), Lines{});
}

TEST(RelayFigure9, UnsharingIsReported) {
  const Scanned s(threads_h + R"(
struct node { struct node *next; int virt; };
struct node *pool; struct node *used; pthread_mutex_t pool_lock, used_lock;
void *worker(void *arg) {
  take(&pool_lock); struct node *n = pool; pool = n->next; give(&pool_lock);
  n->virt = 1;
  take(&used_lock); n->next = used; used = n; give(&used_lock);
  return 0;
}
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0); }
)");
  EXPECT_TRUE(std::ranges::any_of(
      s.warnings(), [](const std::string& w) { return w.contains("virt: write worker / write worker"); }));
}

TEST(RelayFigure10, ThreadsThatTheProgramsLogicKeepsApartAreReported) {
  const Scanned s(threads_h + R"(
typedef struct { long word[4]; } sem_t; int sem_wait(sem_t *); int sem_post(sem_t *);
int state;
void *sync_thread(void *startup) { state = 1; sem_post(startup); return 0; }
static int start_sync_thread(void) {
  static sem_t startup;
  pthread_t t;
  if (state == 1) return -17;
  while (pthread_create(&t, 0, sync_thread, &startup)) {}
  sem_wait(&startup);
  return 0;
}
int main(void) { while (start_sync_thread()) {} }
)");
  EXPECT_TRUE(std::ranges::any_of(
      s.warnings(), [](const std::string& w) { return w.contains("state: write sync_thread / write sync_thread"); }));
}

TEST(RelayFigure11, ConditionalLockingIsUnderstood) {
  const Scanned s(threads_h + R"(
struct info { int inuse; } table[8]; pthread_mutex_t swap_lock;
static struct info *get(unsigned n) {
  if (n == 0) return 0;
  take(&swap_lock);
  return &table[n];
}
void *worker(void *arg) {
  struct info *p = get((unsigned)(long)arg);
  if (p) { p->inuse++; give(&swap_lock); }
  return 0;
}
int main(void) { pthread_t t; for (long i = 0; i < 3; i++) pthread_create(&t, 0, worker, (void *)i); }
)");
  EXPECT_TRUE(s.summary("get").splits_by_result);
  EXPECT_EQ(s.warnings(), Lines{});
}

TEST(RelayFigure13, ReadAfterTheLockIsReported) {
  const Scanned s(threads_h + R"(
struct area { struct area *next; long addr; unsigned long size; };
struct area *vmlist; pthread_rwlock_t vmlist_lock;
void *iounmap(void *addr) {
  struct area *p;
  pthread_rwlock_rdlock(&vmlist_lock);
  for (p = vmlist; p; p = p->next) if (p->addr == (long)addr) break;
  pthread_rwlock_unlock(&vmlist_lock);
  return p ? (void *)p->size : 0;
}
void *remove_area(void *addr) {
  struct area *t;
  pthread_rwlock_wrlock(&vmlist_lock);
  for (t = vmlist; t; t = t->next) if (t->addr == (long)addr) break;
  if (t) t->size -= 4096;
  pthread_rwlock_unlock(&vmlist_lock);
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, iounmap, 0); pthread_create(&t, 0, remove_area, 0); }
)");
  EXPECT_EQ(s.warnings(), (Lines{"t->size: write remove_area / read iounmap"}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
