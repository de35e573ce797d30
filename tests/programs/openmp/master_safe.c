// The master writes, and a barrier follows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int x, sum;

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    x = 5;  // NORACE: the others wait
#pragma omp barrier
#pragma omp atomic
    sum += x;  // NORACE: behind the barrier
  }
  return sum > 10;
}
