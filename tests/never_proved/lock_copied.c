// A struct with a lock is copied while another thread takes the lock.
#include <pthread.h>

struct account {
  pthread_mutex_t mutex;
};
static struct account shared = {PTHREAD_MUTEX_INITIALIZER}, copy;

static void *one(void *unused) {
  pthread_mutex_lock(&shared.mutex);
  pthread_mutex_unlock(&shared.mutex);
  return unused;
}

static void *other(void *unused) {
  copy = shared;
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
