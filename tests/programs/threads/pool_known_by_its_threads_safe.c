// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pool whose threads get to know it by records that its maker allocates straight into the pool.
#include <pthread.h>
#include <stdlib.h>

struct pool;
struct thread {
  pthread_t handle;
  struct pool *pool;
};
struct pool {
  struct thread *threads[2];
  pthread_mutex_t lock;
  int length;
};

static void *run(void *arg) {
  struct pool *pool = ((struct thread *)arg)->pool;
  pthread_mutex_lock(&pool->lock);
  pool->length--;  // NORACE: both sides hold the lock
  pthread_mutex_unlock(&pool->lock);
  return 0;
}

static void start(struct pool *pool, struct thread **thread) {
  *thread = malloc(sizeof(struct thread));
  if (*thread == 0) exit(1);
  (*thread)->pool = pool;
  pthread_create(&(*thread)->handle, 0, run, *thread);
}

static struct pool *make(void) {
  struct pool *pool = malloc(sizeof *pool);
  if (pool == 0) exit(1);
  pool->length = 2;
  pthread_mutex_init(&pool->lock, 0);
  for (int i = 0; i < 2; i++) start(pool, &pool->threads[i]);
  return pool;
}

static void push(struct pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->length++;  // NORACE: both sides hold the lock
  pthread_mutex_unlock(&pool->lock);
}

int main(void) {
  struct pool *pool = make();
  push(pool);
  for (int i = 0; i < 2; i++) pthread_join(pool->threads[i]->handle, 0);
  return 0;
}
