// A lock of omp.h. The functions are declared here: omp.h need not be installed.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
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
    counter++;  // NORACE: the lock is held
    counter++;  // NORACE: still
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return counter == 0;  // NORACE: the region has ended
}
