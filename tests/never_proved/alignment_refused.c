// Three is no alignment.
#include <pthread.h>
#include <stdlib.h>

static int counter;

static void *one(void *unused) {
  void *memory;
  if (posix_memalign(&memory, 3, 8) != 0) counter++;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, one, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
