// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A server in miniature: workers take requests from a queue under a lock. The statistics were added later; one of the
// two counters was forgotten.
// truth: race
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct request {
  int size;
  struct request *next;
};

struct statistics {
  long served;
  long bytes;
};

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static struct request *queue;
static struct statistics stats;

static void enqueue(int size) {
  struct request *r = malloc(sizeof *r);
  if (!r) abort();
  r->size = size;
  pthread_mutex_lock(&queue_lock);
  r->next = queue;
  queue = r;
  pthread_mutex_unlock(&queue_lock);
}

static struct request *dequeue(void) {
  pthread_mutex_lock(&queue_lock);
  struct request *r = queue;
  if (r) {
    queue = r->next;
    stats.served++;  // under the lock: fine
  }
  pthread_mutex_unlock(&queue_lock);
  return r;
}

static void account(struct statistics *s, int size) {
  s->bytes += size;  // no lock is held here
}

static void *worker(void *unused) {
  (void)unused;
  struct request *r;
  while ((r = dequeue()) != NULL) {
    account(&stats, r->size);
    free(r);
  }
  return NULL;
}

int main(void) {
  pthread_t workers[4];
  for (int i = 0; i < 100; i++) enqueue(i);
  for (int i = 0; i < 4; i++) pthread_create(&workers[i], NULL, worker, NULL);
  for (int i = 0; i < 4; i++) pthread_join(workers[i], NULL);
  printf("%ld requests, %ld bytes\n", stats.served, stats.bytes);
  return 0;
}
