// A nestable lock, taken once and given back twice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
typedef struct { void *_lk; } omp_nest_lock_t;
void omp_init_nest_lock(omp_nest_lock_t *);
void omp_set_nest_lock(omp_nest_lock_t *);
int omp_test_nest_lock(omp_nest_lock_t *);
void omp_unset_nest_lock(omp_nest_lock_t *);

omp_nest_lock_t lock;
int counter;

static void count(void) {
  omp_set_nest_lock(&lock);
  counter++;  // RACE! c1: the lock is held
  omp_unset_nest_lock(&lock);
}

int main(void) {
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    count();
    counter++;  // RACE! c1: the lock is not held any more
  }
  return counter == 0;
}
