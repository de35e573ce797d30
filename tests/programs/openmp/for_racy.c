// An iteration reads the element of the next one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int a[9];

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 8; i++)
    a[i] = a[i + 1];  // RACE! a1: the next iteration may be another thread's
  return a[3] != 0;
}
