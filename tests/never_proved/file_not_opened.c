// A file may not be there.
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *one(void *unused) {
  if (!fopen("/tmp/heddle/none", "r")) counter++;
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
