// There are only so many nanoseconds in a second.
#include <pthread.h>
#include <time.h>

static int counter;

static void *one(void *unused) {
  if (nanosleep(&(struct timespec){0, -1}, 0) != 0) counter++;
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
