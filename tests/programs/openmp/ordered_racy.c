// One of two updates stands outside of the ordered part.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int sum, last;

int main(void) {
#pragma omp parallel for ordered num_threads(2)
  for (int i = 0; i < 4; i++) {
    last = i;  // RACE! l1: not ordered
#pragma omp ordered
    sum += i;  // NORACE: one iteration after the other
  }
  return sum + last == 0;
}
