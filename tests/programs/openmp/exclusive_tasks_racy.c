// Tasks in any order: one of them does not exclude the others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp -fopenmp-version=51
// NOT-RUNNABLE: needs the runtime of OpenMP
int x;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(inoutset : x)
    x++;  // RACE! x1: tasks of such a set run beside each other
#pragma omp task depend(inoutset : x)
    x += 2;  // RACE! x1: the same
  }
  return x == 0;  // RACE x1: known false alarm: the region has ended, which is not seen of tasks
}
