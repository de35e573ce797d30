// A stencil: the barrier at the end of each loop orders the two arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
double a[16], b[16];

int main(void) {
#pragma omp parallel
  for (int turn = 0; turn < 4; turn++) {
#pragma omp for
    for (int i = 1; i < 15; i++)
      b[i] = (a[i - 1] + a[i + 1]) / 2;  // NORACE: nobody writes a in this phase
#pragma omp for
    for (int i = 1; i < 15; i++)
      a[i] = b[i];  // NORACE: all threads have left the first loop
  }
  return a[3] > 0;
}
