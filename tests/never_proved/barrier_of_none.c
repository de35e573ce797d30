// A barrier of no threads is refused.
#include <pthread.h>

static int counter;

static void *one(void *unused) {
  pthread_barrier_t barrier;
  if (pthread_barrier_init(&barrier, 0, 0) != 0) counter++;
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
