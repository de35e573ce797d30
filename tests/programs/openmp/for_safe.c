// Each iteration has an element of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int a[8];

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 8; i++)
    a[i] = i;  // NORACE: an iteration goes to one thread -> separated(own-share)
  return a[3] != 3;  // NORACE: the region has ended
}
