// localtime sets the variable timezone.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static long west;

static void *one(void *unused) {
  west = timezone;
  return unused;
}

static void *other(void *unused) {
  time_t now = 0;
  localtime(&now);
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
