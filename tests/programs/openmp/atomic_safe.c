// Atomic update and atomic read.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int hits;

int main(void) {
#pragma omp parallel num_threads(2)
  {
    int now;
#pragma omp atomic
    hits++;  // NORACE: atomic
#pragma omp atomic read
    now = hits;  // NORACE: atomic
    (void)now;
  }
  return hits == 0;  // NORACE: the region has ended
}
