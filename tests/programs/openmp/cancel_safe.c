// A loop that is cancelled, with an atomic write.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: cancelling is not treated
int found;

int main(void) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 8; i++) {
    if (i % 3 == 2) {
#pragma omp atomic write
      found = i;  // NORACE: atomic
#pragma omp cancel for
    }
  }
  return found == 0;
}
