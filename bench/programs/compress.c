// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compressor by blocks, as bzip2smp is one: THREADS workers take the next of BLOCKS blocks, pack it into a buffer of
// their own and put the result into its place under a lock.
#include <pthread.h>
#include <string.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
#define BLOCK 4

static const char input[] = "aaaabbbbccccddddeeeeffffgggghhhh";
static int next;
static struct {
  char text[2];
  int count;
} packed[BLOCKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    const int block = next < BLOCKS ? next++ : -1;
    pthread_mutex_unlock(&lock);
    if (block < 0) return unused;
    char letter = input[block * BLOCK];
    int count = 0;
    while (count < BLOCK && input[block * BLOCK + count] == letter) count++;
    pthread_mutex_lock(&lock);
    packed[block].text[0] = letter;
    packed[block].count = count;
    pthread_mutex_unlock(&lock);
  }
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
  return packed[0].count != BLOCK;
}
