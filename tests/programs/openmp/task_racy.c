// Two tasks of one team.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int counter;

int main(void) {
#pragma omp parallel
  {
#pragma omp task
    counter++;  // RACE! c1: another task, of this or another thread
  }
  return 0;
}
