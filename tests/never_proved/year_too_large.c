// No calendar goes that far.
#include <pthread.h>
#include <time.h>

static int counter;

static void *one(void *unused) {
  time_t late = (time_t)1 << 62;
  struct tm parts;
  if (gmtime_r(&late, &parts) == 0) counter++;
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
