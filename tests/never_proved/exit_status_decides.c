// A function of on_exit gets the exit status.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static int counter;

static void at_end(int status, void *unused) {
  if (status == 3) counter = 1;
}

static void *one(void *unused) {
  counter = 2;
  return unused;
}

int main(void) {
  pthread_t thread;
  on_exit(at_end, 0);
  pthread_create(&thread, 0, one, 0);
  exit(3);
}
