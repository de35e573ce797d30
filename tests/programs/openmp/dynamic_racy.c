// Two iterations have one element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int a[6];

int main(void) {
#pragma omp parallel for schedule(dynamic) num_threads(2)
  for (int i = 0; i < 6; i++)
    a[i / 2] += i;  // RACE! a1: iterations 0 and 1 may go to two threads
  return a[3] != 0;
}
