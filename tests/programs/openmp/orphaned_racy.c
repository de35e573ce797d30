// A directive in a function that is called from two regions.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int counter;

static void count(int by) {
#pragma omp critical
  counter += by;  // RACE! c1: the region below does not hold the section
}

int main(void) {
#pragma omp parallel
  count(1);
#pragma omp parallel
  {
    count(2);
    counter++;  // RACE! c1: not in the section
  }
  return counter == 0;
}
