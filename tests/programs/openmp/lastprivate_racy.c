// Every iteration sets a variable of all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int main(void) {
  int last = 0, copy = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int i = 0; i < 4; i++)
      last = i;  // RACE! l1: the other thread's iterations too
#pragma omp atomic write
    copy = last;  // NORACE: behind the barrier
  }
  return copy > 4;
}
