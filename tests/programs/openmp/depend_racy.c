// The second task names another variable: nothing orders the two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int x, y;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;  // RACE! x1: the other task does not wait
#pragma omp task depend(in : y)
    y = x;  // RACE! x1: depends on y, not on x
  }
  return y > 1;  // RACE x1: known false alarm: the region has ended, which is not seen of tasks
}
