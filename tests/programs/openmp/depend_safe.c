// Two tasks, the second of which depends on what the first writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: dependences order nothing for a proof
int x, y;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;  // NORACE: the other task waits for this one
#pragma omp task depend(in : x)
    y = x;  // NORACE: behind the first task
  }
  return y != 1;  // NORACE: the region has ended
}
