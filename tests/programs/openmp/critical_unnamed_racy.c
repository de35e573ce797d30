// A critical section with a name beside one without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int counter;

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    counter++;  // RACE! c1: sections without a name are another one
#pragma omp critical(other)
    counter++;  // RACE! c1: the section with this name
  }
  return counter == 0;
}
