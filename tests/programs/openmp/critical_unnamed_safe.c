// A critical section with a name inside of one without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int counter;

static void count(void) {
#pragma omp critical(other)
  counter++;  // NORACE: both places hold the section without a name
}

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    count();
#pragma omp critical
    counter++;  // NORACE: the section without a name
  }
  return counter == 0;
}
