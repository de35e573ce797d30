// A loop that is cancelled: the variable is not protected.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int found;

int main(void) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 8; i++) {
    if (i % 3 == 2) {
      found = i;  // RACE! f1: two threads may find one
#pragma omp cancel for
    }
  }
  return found == 0;
}
