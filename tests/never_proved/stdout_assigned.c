// printf reads the variable stdout, which main changes meanwhile.
// EXPECT: unknown: a library call may touch memory
#include <pthread.h>
#include <stdio.h>

void *worker(void *unused) {
  printf("hello\n");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  stdout = stderr;
  pthread_join(thread, 0);
  return 0;
}
