// The sum of a reduction, read before all have added.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int main(void) {
  int sum = 0, seen = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for reduction(+ : sum) nowait  // RACE! s1: its end adds to the variable of all
    for (int i = 0; i < 4; i++)
      sum += i;  // NORACE: the thread's own
#pragma omp atomic write
    seen = sum;  // RACE! s1: others may still add
  }
  return seen > 6;
}
