// setenv changes the array that environ leads to.
// EXPECT: unknown: a library call may touch memory
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static char *first;

static void *one(void *unused) {
  first = environ[0];
  return unused;
}

static void *other(void *unused) {
  setenv("HEDDLE_TEST", "1", 1);
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
