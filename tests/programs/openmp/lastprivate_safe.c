// The value of the last iteration, behind the barrier of the loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int main(void) {
  int last = 0, copy = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for lastprivate(last)
    for (int i = 0; i < 4; i++)
      last = i;  // NORACE: the thread's own, and the last iteration is one thread's
#pragma omp atomic write
    copy = last;  // NORACE: behind the barrier
  }
  return copy > 4;
}
