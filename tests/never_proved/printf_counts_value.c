// %n leaves the number of characters.
#include <pthread.h>
#include <stdio.h>

static int counter, length;

static void *one(void *unused) {
  if (length == 5) counter++;
  return unused;
}

int main(void) {
  printf("hello%n\n", &length);
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, one, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
