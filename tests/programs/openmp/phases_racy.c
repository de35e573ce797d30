// A stencil: the second loop has no barrier at its end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
double a[16], b[16];

int main(void) {
#pragma omp parallel
  for (int turn = 0; turn < 4; turn++) {
#pragma omp for
    for (int i = 1; i < 15; i++)
      b[i] = (a[i - 1] + a[i + 1]) / 2;  // RACE! s1: another thread may still be in the loop below, one turn back
#pragma omp for nowait
    for (int i = 1; i < 15; i++)
      a[i] = b[i];  // RACE! s1: beside the loop above
  }
  return a[3] > 0;
}
