// A ticket that is read and counted in two steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int next, slot[8];

int main(void) {
#pragma omp parallel num_threads(2)
  {
    int mine;
#pragma omp atomic read
    mine = next;
#pragma omp atomic
    next++;
    slot[mine] = 1;  // RACE! s1: two threads may have read the same number
  }
  return slot[0] != 1;
}
