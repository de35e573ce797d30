// Tasks in any order, one at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp -fopenmp-version=51
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: dependences exclude nothing for a proof
int x;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : x)
    x++;  // NORACE: one at a time
#pragma omp task depend(mutexinoutset : x)
    x += 2;  // NORACE: one at a time
  }
  return x != 3;  // NORACE: the region has ended
}
