// One thread writes what lies below a bound that nobody knows, another one the rest.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
int* numbers;
int bound, count;

void* below(void* arg) {
  for (int i = 0; i < bound; i++) numbers[i] = 1;  // NORACE: i < bound
  return 0;
}

void* above(void* arg) {
  for (int i = bound; i < count; i++) numbers[i] = 2;  // NORACE: i >= bound
  return 0;
}

int main(void) {
  bound = __VERIFIER_nondet_int();
  count = __VERIFIER_nondet_int();
  if (!(bound >= 0 && bound <= count && count <= 1000)) return 0;
  numbers = malloc(1000 * sizeof *numbers);
  if (!numbers) return 0;
  pthread_t a, b;
  pthread_create(&a, 0, below, 0);
  pthread_create(&b, 0, above, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
