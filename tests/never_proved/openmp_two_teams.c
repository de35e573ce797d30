// Two threads have a team each: iterations are dealt out twice.
// FLAGS: -fopenmp
#include <pthread.h>
int a[8];
static void *work(void *p) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 8; i++) a[i]++;
  return p;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
