// What the bytes of a lock hold decides whether both threads count.
// EXPECT: unknown: bytes of a lock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter, is_taken;

static void *one(void *unused) {
  if (is_taken) counter++;
  return unused;
}

int main(void) {
  pthread_mutex_lock(&mutex);
  is_taken = *(int *)&mutex != 0;
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, one, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
