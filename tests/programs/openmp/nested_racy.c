// Threads of several inner teams count in a variable of the outer one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int main(void) {
  int counter = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)  // RACE c1: known false alarm: several teams at the same time are not told apart
    {
#pragma omp masked  // RACE c1: known false alarm: the same
      counter++;  // RACE! c1: each inner team has a thread 0
    }
  }
  return counter == 0;
}
