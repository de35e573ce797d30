// One thread sets a value for all, and changes its source behind the construct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int source;

int main(void) {
  int total = 0;
#pragma omp parallel num_threads(2)
  {
    int mine;
#pragma omp single copyprivate(mine)  // RACE s1: known false alarm: copying is not followed
    mine = ++source;  // RACE s1: known false alarm: one thread does it, the others wait
    source += mine;  // RACE! s1: all threads are here
#pragma omp atomic
    total += mine;  // RACE s1: known false alarm: each thread has its own
  }
  return total == 0;
}
