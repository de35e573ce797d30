// A variable of the environment may be missing.
#include <pthread.h>
#include <stdlib.h>

static int counter;

static void *one(void *unused) {
  if (!getenv("HEDDLE_TEST")) counter++;
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
