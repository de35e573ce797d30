// A lock of omp.h that is given back too early. The functions are declared here: omp.h need not be installed.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
typedef struct { void *_lk; } omp_lock_t;
void omp_init_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
void omp_destroy_lock(omp_lock_t *);

omp_lock_t lock;
int counter;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
  {
    omp_set_lock(&lock);
    counter++;  // RACE! c1: the other thread does not hold the lock
    omp_unset_lock(&lock);
    counter++;  // RACE! c1: the lock was given back
  }
  omp_destroy_lock(&lock);
  return counter == 0;
}
