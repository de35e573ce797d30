// The sum of a reduction, read behind the barrier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int main(void) {
  int sum = 0, seen = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 4; i++)
      sum += i;  // NORACE: the thread's own
#pragma omp atomic write
    seen = sum;  // NORACE: behind the barrier
  }
  return seen != 6;
}
