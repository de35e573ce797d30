// localtime_r sets the variables of the time zone.
// EXPECT: race-free: code-without-hooks
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static void *ask(void *unused) {
  time_t now = 0;
  struct tm parts;
  localtime_r(&now, &parts);
  return unused;
}

static void *set(void *unused) {
  timezone = 5;
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
