// A mapping replaces memory that another thread writes.
#include <pthread.h>
#include <sys/mman.h>

static char page[8192] __attribute__((aligned(4096)));

static void *one(void *unused) {
  page[0] = 1;
  return unused;
}

static void *other(void *unused) {
  mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
