// A lock is made by attributes that another thread ends.
#include <pthread.h>

static pthread_rwlockattr_t attributes;
static pthread_rwlock_t lock;

static void *make(void *unused) {
  pthread_rwlock_init(&lock, &attributes);
  return unused;
}

static void *end(void *unused) {
  pthread_rwlockattr_destroy(&attributes);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_rwlockattr_init(&attributes);
  pthread_create(&first, 0, make, 0);
  pthread_create(&second, 0, end, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
