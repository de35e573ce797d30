// A struct with a lock is assigned while another thread takes the lock.
#include <pthread.h>

struct account {
  pthread_mutex_t mutex;
  int money;
};
static struct account shared = {PTHREAD_MUTEX_INITIALIZER, 0}, fresh = {PTHREAD_MUTEX_INITIALIZER, 1};

static void *one(void *unused) {
  pthread_mutex_lock(&shared.mutex);
  shared.money++;
  pthread_mutex_unlock(&shared.mutex);
  return unused;
}

static void *other(void *unused) {
  shared = fresh;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
