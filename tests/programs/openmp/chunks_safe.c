// Chunks of two iterations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: which thread gets which chunk is not followed
int a[13];

int main(void) {
#pragma omp parallel for schedule(static, 2) num_threads(2)
  for (int i = 0; i < 12; i++)
    a[i] = i;  // NORACE: an iteration goes to one thread
  return a[3] > 12;
}
