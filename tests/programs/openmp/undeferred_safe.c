// A task that is never deferred.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int x;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task if (0)
    x++;  // NORACE: done before the next line
    x++;  // NORACE: the task has ended
  }
  return x != 2;
}
