// A thread's own variable, which another thread is shown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int own;
int *shown;
#pragma omp threadprivate(own)

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    shown = &own;
#pragma omp barrier
    own++;  // RACE! o1: thread 0 counts in its own
    *shown += 2;  // RACE! o1: which all others know
  }
  return own == 0;
}
