// A handle that a start wrote is no longer zero: who asks for it comes to the write.
#include <pthread.h>

pthread_t worker;
int x;

void* work(void* arg) {
  x = 1;  // RACE! x: beside main, which has not joined
  return 0;
}

int main(void) {
  pthread_create(&worker, 0, work, 0);
  if (worker != 0) x = 2;  // RACE! x: beside the worker
  pthread_join(worker, 0);
  return 0;
}
