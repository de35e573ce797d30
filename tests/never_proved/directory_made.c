// Without a buffer getcwd makes one.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int counter;

static void *one(void *unused) {
  if (getcwd(NULL, 0) != NULL) counter++;
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
