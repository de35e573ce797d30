// Two instances of a thread that nobody waits for, and that have nothing to do with main.
#include <pthread.h>

int x;

void* work(void* arg) {
  x++;  // RACE! x: by both
  return 0;
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
  }
  pthread_exit(0);
}
