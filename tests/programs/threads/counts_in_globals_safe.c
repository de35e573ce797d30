// How many threads there are stands in global variables that nobody changes any more.
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int wanted, started, i, total;
pthread_t threads[8];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void* work(void* arg) {
  pthread_mutex_lock(&m);
  total++;  // NORACE: under m, and main waits for all
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  wanted = __VERIFIER_nondet_int();
  if (wanted < 1 || wanted > 8) return 0;
  started = wanted;
  for (i = 0; i < started; i++) pthread_create(&threads[i], 0, work, 0);
  for (i = 0; i < wanted; i++) pthread_join(threads[i], 0);
  return total;  // NORACE: as many have been joined as were started
}
