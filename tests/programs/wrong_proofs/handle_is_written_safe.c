// A handle that a start wrote is no longer zero: who asks for it comes to the write.
#include <pthread.h>

pthread_t worker;
int x;

void* work(void* arg) {
  x = 1;  // NORACE: main writes behind the join
  return 0;
}

int main(void) {
  pthread_create(&worker, 0, work, 0);
  pthread_join(worker, 0);
  if (worker != 0) x = 2;  // NORACE: behind the join
  return 0;
}
