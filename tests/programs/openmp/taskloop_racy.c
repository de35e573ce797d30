// Two iterations of a taskloop have one element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int a[8];

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 8; i++)
    a[i / 2] += i;  // RACE! a1: iterations 0 and 1 may be two tasks
  return a[7] != 0;
}
