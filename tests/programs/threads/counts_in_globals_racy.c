// How many threads there are stands in global variables that nobody changes any more.
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int wanted, started, i, total;
pthread_t threads[8];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void* work(void* arg) {
  pthread_mutex_lock(&m);
  total++;  // RACE! total: one thread is not waited for
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  wanted = __VERIFIER_nondet_int();
  if (wanted < 1 || wanted > 7) return 0;
  started = wanted + 1;
  for (i = 0; i < started; i++) pthread_create(&threads[i], 0, work, 0);
  for (i = 0; i < wanted; i++) pthread_join(threads[i], 0);
  return total;  // RACE! total: one thread is not waited for
}
