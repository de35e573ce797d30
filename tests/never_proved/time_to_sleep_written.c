// The time that one thread sleeps is written by another.
#include <pthread.h>
#include <time.h>

static struct timespec rest;

static void *wait(void *unused) {
  nanosleep(&rest, 0);
  return unused;
}

static void *set(void *unused) {
  rest.tv_nsec = 5;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, wait, 0);
  pthread_create(&second, 0, set, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
