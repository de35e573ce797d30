// Chunks of two iterations that overlap by one element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int a[13];

int main(void) {
#pragma omp parallel for schedule(static, 2) num_threads(2)
  for (int i = 0; i < 12; i++) {
    a[i] = i;  // RACE! a1: also the next element of the chunk before
    if (i % 2) a[i + 1] = 0;  // RACE! a1: the first of the next chunk
  }
  return a[3] > 12;
}
