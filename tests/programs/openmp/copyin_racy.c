// A thread-private pointer that all threads get from the first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int own, *where;
#pragma omp threadprivate(where)

int main(void) {
  where = &own;
#pragma omp parallel num_threads(2) copyin(where)  // RACE o1: known false alarm: the first thread's own variable does not change
  ++*where;  // RACE! o1: all point to one variable
  return own == 0;
}
