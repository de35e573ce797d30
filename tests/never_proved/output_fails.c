// Standard output may be full, or closed.
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *one(void *unused) {
  if (printf("text") < 0 || fflush(stdout) != 0) counter++;
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
