// Two threads share a slot.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int omp_get_thread_num(void);
int slot[8];

int main(void) {
#pragma omp parallel num_threads(8)
  {
    int me = omp_get_thread_num();
    slot[me / 2] = me;  // RACE! s1: numbers 0 and 1
  }
  return slot[0] > 1;
}
