// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort by THREADS workers with a stack of ranges: a mutex guards the stack, a condition says that a range was pushed or that
// all items are in place. Ranges do not overlap, so the items themselves need no lock.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ITEMS
#define ITEMS 4
#endif

static int item[ITEMS];
static struct {
  int low, high;
} stack[ITEMS + 1];
static int height, left = ITEMS;  // ranges on the stack; items not in place yet
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void push(int low, int high) {
  if (low > high) return;
  stack[height].low = low;
  stack[height].high = high;
  height++;
  pthread_cond_signal(&changed);
}

/// Puts the last item of the range in its place and says where that is.
static int split(int low, int high) {
  int at = low;
  for (int i = low; i < high; i++) {
    if (item[i] >= item[high]) continue;
    const int kept = item[i];
    item[i] = item[at];
    item[at++] = kept;
  }
  const int pivot = item[high];
  item[high] = item[at];
  item[at] = pivot;
  return at;
}

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  while (1) {
    while (height == 0 && left > 0) pthread_cond_wait(&changed, &lock);
    if (left == 0) break;
    height--;
    const int low = stack[height].low, high = stack[height].high;
    pthread_mutex_unlock(&lock);
    const int at = split(low, high);
    pthread_mutex_lock(&lock);
    left--;
    push(low, at - 1);
    push(at + 1, high);
    if (left == 0) pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < ITEMS; i++) item[i] = (i * 3 + 2) % ITEMS;
  push(0, ITEMS - 1);
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
  for (int i = 1; i < ITEMS; i++)
    if (item[i - 1] > item[i]) return 1;
  return 0;
}
