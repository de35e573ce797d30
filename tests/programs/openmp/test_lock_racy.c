// A lock that is tried, and used without asking whether it was got.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
typedef struct { void *_lk; } omp_lock_t;
void omp_init_lock(omp_lock_t *);
int omp_test_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);

omp_lock_t lock;
int counter;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    int got = omp_test_lock(&lock);
    counter++;  // RACE! c1: also when the other thread has the lock
    if (got) omp_unset_lock(&lock);
  }
  return counter == 0;
}
