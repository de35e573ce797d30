// Threads of each inner team count in a variable of their own team.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: several teams at the same time are not told apart
int main(void) {
  int all = 0;
#pragma omp parallel num_threads(2)
  {
    int counter = 0;
#pragma omp parallel num_threads(2)  // NORACE: each outer thread's own team
    {
#pragma omp critical
      counter++;  // NORACE: the section is held
    }
#pragma omp atomic
    all += counter;  // NORACE: the inner team has ended
  }  // NORACE: the inner team has ended
  return all == 0;
}
