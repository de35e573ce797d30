// What iterations do one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int sum, last;

int main(void) {
#pragma omp parallel for ordered num_threads(2)
  for (int i = 0; i < 4; i++) {
#pragma omp ordered
    {
      last = i;  // NORACE: ordered
      sum += i;  // NORACE: one iteration after the other
    }
  }
  return sum + last == 0;
}
