// Two sections with a variable each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int x, y;

int main(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    x = 1;  // NORACE: this section alone
#pragma omp section
    y = 2;  // NORACE: that section alone
  }
  return x == y;  // NORACE: the region has ended
}
