// Iterations that threads fetch one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int a[6];

int main(void) {
#pragma omp parallel for schedule(dynamic) num_threads(2)
  for (int i = 0; i < 6; i++)
    a[i] += i;  // NORACE: an iteration goes to one thread
  return a[3] != 3;
}
