// Who waits for ever behind an assumption has done what stands before it.
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int said, x;

void* tells(void* arg) {
  __VERIFIER_atomic_begin();
  said = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_assume(0);
  return 0;
}

void* hears(void* arg) {
  __VERIFIER_atomic_begin();
  int heard = said;
  __VERIFIER_atomic_end();
  if (heard == 1) x = 1;  // NORACE: main has waited
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, tells, 0);
  pthread_create(&b, 0, hears, 0);
  pthread_join(b, 0);
  x = 2;  // NORACE: behind the join
  return 0;
}
