// Threads of several teams.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int counter;

int main(void) {
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
  {
#pragma omp masked
    counter++;  // RACE! c1: each team has such a thread
  }
  return counter == 0;
}
