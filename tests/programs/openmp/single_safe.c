// One thread writes, all read behind the barrier of the single region.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int x, sum;

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    x = 5;  // NORACE: one thread does it -> separated(barrier)
#pragma omp atomic
    sum += x;  // NORACE: behind the barrier
  }
  return sum == 0;
}
