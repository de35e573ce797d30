// Two tasks of one team, under a lock.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: tasks of a thread of which there are several are not seen to end with the region
int counter;

int main(void) {
#pragma omp parallel
  {
#pragma omp task
    {
#pragma omp critical
      counter++;  // NORACE: the section is held
    }
  }
  return counter == 0;  // NORACE: the region has ended
}
