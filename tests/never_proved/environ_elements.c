// getenv reads what environ leads to.
// EXPECT: unknown: a library call may touch memory
#include <pthread.h>
#include <stdlib.h>

extern char **environ;

static void *ask(void *unused) {
  getenv("HOME");
  return unused;
}

static void *set(void *unused) {
  environ[0] = 0;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, ask, 0);
  pthread_create(&second, 0, set, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
