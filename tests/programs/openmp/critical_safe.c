// Two critical sections of one name, and the end of the region.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int counter;

int main(void) {
  counter = 1;  // NORACE: the team does not exist yet
#pragma omp parallel
  {
#pragma omp critical(first)
    counter++;  // NORACE: the section is held -> separated(common-lock)
#pragma omp critical(first)
    counter++;  // NORACE: the same section
  }
  return counter == 0;  // NORACE: the region has ended
}
