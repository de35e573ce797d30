// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A search in files, as pfscan makes it: main puts FILES names into a queue, THREADS workers take them out, look for a
// letter and count what they found. -DBUG: the last worker counts the lines without the lock.
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef FILES
#define FILES 3
#endif

static const char *const file[FILES] = {"pattern in a haystack", "nothing here", "another needle"};
static int queue[FILES], first, last, closed, found, lines, running = THREADS;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER, print_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/// A file, or -1 when there will be no more.
static int take(void) {
  int got = -1;
  pthread_mutex_lock(&queue_lock);
  while (first == last && !closed) pthread_cond_wait(&changed, &queue_lock);
  if (first < last) got = queue[first++];
  pthread_mutex_unlock(&queue_lock);
  return got;
}

static void *worker(void *unused) {
  for (int f = take(); f >= 0; f = take()) {
    int here = 0;
    for (const char *c = file[f]; *c; c++) here += *c == 'n';
    pthread_mutex_lock(&print_lock);
    found += here;
    lines++;
    pthread_mutex_unlock(&print_lock);
  }
  pthread_mutex_lock(&print_lock);
  const int rest = --running;
  pthread_mutex_unlock(&print_lock);
#ifdef BUG
  if (rest == 0) lines = 0;
  if (rest == 1) lines++;
#endif
  return unused;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < FILES; i++) {
    pthread_mutex_lock(&queue_lock);
    queue[last++] = i;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&queue_lock);
  }
  pthread_mutex_lock(&queue_lock);
  closed = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&queue_lock);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
  return found == 0;
}
