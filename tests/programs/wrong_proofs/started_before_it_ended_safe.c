// Two instances of a thread that main waits for one by one, and that have nothing to do with main.
#include <pthread.h>

int x;

void* work(void* arg) {
  x++;  // NORACE: one has ended before the other is started
  return 0;
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
  }
  pthread_exit(0);
}
