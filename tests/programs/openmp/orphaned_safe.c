// A directive in a function that is called from two regions, and outside of regions.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int counter;

static void count(int by) {
#pragma omp critical
  counter += by;  // NORACE: the section is held, or the team has ended
}

int main(void) {
  count(0);
#pragma omp parallel
  count(1);
#pragma omp parallel if (counter)
  {
    count(2);
    count(3);
  }
  count(4);
  return counter == 0;  // NORACE: no team is left
}
