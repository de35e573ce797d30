// What the library does through a pointer to one of its functions, it does: here it gives the lock back too early.
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int (*done)(pthread_mutex_t*) = pthread_mutex_unlock;

void* one(void* arg) {
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_lock(&m);
    done(&m);
    x++;  // RACE! x: the lock has been given back
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, one, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
