// Each iteration of a taskloop has an element of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: which task gets which iteration is not followed
int a[8];

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 8; i++)
    a[i] += i;  // NORACE: an iteration is part of one task
  return a[7] != 7;  // NORACE: the region has ended
}
