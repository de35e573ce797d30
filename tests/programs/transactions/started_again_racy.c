// A thread that starts another one and waits for its end, again and again; main waits for the first, which leaves the
// last one behind.
#include <pthread.h>

int __VERIFIER_nondet_int(void);
pthread_t helper;
int state, data;

void* help(void* arg) {
  data++;  // RACE! data: nobody waits for the last one
  return 0;
}

void* work(void* arg) {
  while (1) {
    switch (__VERIFIER_nondet_int()) {
      case 0:
        if (state == 0) {
          pthread_create(&helper, 0, help, 0);
          state = 1;
        }
        break;
      case 1:
        if (state == 1) {
          pthread_join(helper, 0);
          state = 0;
        }
        break;
      default:
        if (state == 1) return 0;
    }
  }
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, 0, work, 0);
  pthread_join(worker, 0);
  data = 0;  // RACE! data: nobody waits for the last one
  return 0;
}
