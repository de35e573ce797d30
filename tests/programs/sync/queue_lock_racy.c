// A lock that threads queue up for: who hands it over has nobody behind him and leaves without looking again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
  atomic_int waits;
};

static _Atomic(struct node *) last;
static struct node nodes[3];
static int jobs, done;

static void take(struct node *mine) {
  atomic_store(&mine->next, NULL);
  atomic_store(&mine->waits, 1);
  struct node *before = atomic_exchange(&last, mine);
  if (before == NULL) return;
  atomic_store(&before->next, mine);
  while (atomic_load(&mine->waits))
    ;
}

static void give(struct node *mine) {
  if (atomic_load(&mine->next) == NULL) {
    struct node *expected = mine;
    atomic_compare_exchange_strong(&last, &expected, NULL);
    atomic_store(&last, NULL);
    return;
  }
  atomic_store(&atomic_load(&mine->next)->waits, 0);
}

static void *worker(void *argument) {
  struct node *mine = argument;
  for (int round = 0; round < 2; round++) {
    take(mine);
    jobs++;  // RACE! jobs: two threads hold the lock
    done = 1;  // RACE! done: both write
    give(mine);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, &nodes[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return done != 1;
}
