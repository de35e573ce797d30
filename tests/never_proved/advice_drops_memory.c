// Advice drops the content that another thread reads.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static char page[4096] __attribute__((aligned(4096)));
static char seen;

static void *one(void *unused) {
  seen = page[0];
  return unused;
}

static void *other(void *unused) {
  madvise(page, sizeof page, MADV_DONTNEED);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
