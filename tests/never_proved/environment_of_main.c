// The third parameter of main is the environment.
#include <pthread.h>
#include <stdlib.h>

static char **environment;

static void *ask(void *unused) {
  getenv("HOME");
  return unused;
}

static void *set(void *unused) {
  environment[0] = 0;
  return unused;
}

int main(int argc, char **argv, char **variables) {
  pthread_t first, second;
  environment = variables;
  pthread_create(&first, 0, ask, 0);
  pthread_create(&second, 0, set, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
