// The largest value, compared and set in two steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp -fopenmp-version=51
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int largest;

int main(void) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 4; i++) {
    if (largest < i) largest = i;  // RACE! l1: neither is atomic
  }
  return largest == 0;
}
