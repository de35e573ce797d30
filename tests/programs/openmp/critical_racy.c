// Two critical sections of different names do not exclude each other.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int counter;

int main(void) {
#pragma omp parallel
  {
#pragma omp critical(first)
    counter++;  // RACE! c1: the other thread may be in the second section
#pragma omp critical(second)
    counter++;  // RACE! c1: the other thread may be in the first section
  }
  return counter == 0;
}
