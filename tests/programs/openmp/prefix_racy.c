// A running sum that is also added to a variable of all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp -fopenmp-version=50
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int a[8], b[8], all;

int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum) num_threads(2)
  for (int i = 0; i < 8; i++) {
    sum += a[i];
    all += a[i];  // RACE! a1: shared
#pragma omp scan inclusive(sum)
    b[i] = sum;  // NORACE: its own
  }
  return b[7] != sum + all;
}
