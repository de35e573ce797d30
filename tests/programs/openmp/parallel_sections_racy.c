// Two sections that share a variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int x, y;

int main(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    x = 1;  // RACE! x1: the other section
#pragma omp section
    y = x;  // RACE! x1: another thread's
  }
  return y > 1;
}
