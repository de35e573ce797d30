// A second call of gmtime changes what the first one returned.
#include <pthread.h>
#include <time.h>

static int counter, changed;

static void *one(void *unused) {
  if (changed) counter++;
  return unused;
}

int main(void) {
  time_t now = 0, later = 1000000000;
  struct tm *parts = gmtime(&now);
  if (!parts) return 1;
  parts->tm_year = 5;
  gmtime(&later);
  changed = parts->tm_year != 5;
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, one, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
