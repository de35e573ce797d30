// A parallel loop with simd, in which iterations touch each other's elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
float a[16], b[17];

int main(void) {
#pragma omp parallel for simd num_threads(2)
  for (int i = 0; i < 16; i++) {
    a[i] = b[i + 1];  // RACE! b1: the next iteration's
    b[i] = 2;  // RACE! b1: read by the iteration before
  }
  return a[3] > 2;
}
