// A plain read beside an atomic update.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int hits;

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    hits++;  // RACE! h1: the other thread may read
    int now = hits;  // RACE! h1: not atomic
    (void)now;
  }
  return hits == 0;
}
