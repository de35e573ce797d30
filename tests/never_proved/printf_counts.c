// %n writes.
// EXPECT: unknown: a library call may touch memory that another thread accesses
#include <pthread.h>
#include <stdio.h>

static int length;

static void *one(void *unused) {
  printf("hello%n\n", &length);
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
