// The largest value, compared and set in one step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp -fopenmp-version=51
// NOT-RUNNABLE: needs the runtime of OpenMP
int largest;

int main(void) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 4; i++) {
#pragma omp atomic compare
    if (largest < i) largest = i;  // NORACE: atomic
  }
  return largest == 0;
}
