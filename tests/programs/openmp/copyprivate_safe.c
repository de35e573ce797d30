// One thread sets a value that all get a copy of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: the copies are made through memory of another thread
int source;

int main(void) {
  int total = 0;
#pragma omp parallel num_threads(2)
  {
    int mine;
#pragma omp single copyprivate(mine)  // NORACE: the threads wait while copies are made
    mine = ++source;  // NORACE: one thread does it, the others wait
    mine++;  // NORACE: each thread has its own
#pragma omp atomic
    total += mine;  // NORACE: atomic
  }
  return total == 0;  // NORACE: the region has ended
}
