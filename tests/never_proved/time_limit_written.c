// The time until which one thread waits for a lock is written by the one that holds it.
#include <pthread.h>
#include <time.h>

static struct timespec until;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *wait(void *unused) {
  if (pthread_mutex_timedlock(&lock, &until) == 0) pthread_mutex_unlock(&lock);
  return unused;
}

static void *set(void *unused) {
  pthread_mutex_lock(&lock);
  until.tv_sec = 5;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, wait, 0);
  pthread_create(&second, 0, set, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
