// One thread reads what another call of gmtime writes.
#include <pthread.h>
#include <time.h>

static struct tm *parts;
static int year;

static void *one(void *unused) {
  year = parts->tm_year;
  return unused;
}

static void *other(void *unused) {
  time_t later = 1000000000;
  gmtime(&later);
  return unused;
}

int main(void) {
  time_t now = 0;
  parts = gmtime(&now);
  if (!parts) return 1;
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
