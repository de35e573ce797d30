// The memory of a lock is freed while another thread takes the lock.
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t *lock;

static void *one(void *unused) {
  pthread_rwlock_rdlock(lock);
  pthread_rwlock_unlock(lock);
  return unused;
}

static void *other(void *unused) {
  free(lock);
  return unused;
}

int main(void) {
  lock = malloc(sizeof *lock);
  pthread_rwlock_init(lock, 0);
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
