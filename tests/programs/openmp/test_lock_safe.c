// A lock that is tried, and used if it was got.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
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
    if (omp_test_lock(&lock)) {
      counter++;  // NORACE: the lock is held
      omp_unset_lock(&lock);
    }
  }
  return counter > 2;
}
