// A parallel loop with simd, each iteration with elements of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
float a[16], b[16];

int main(void) {
#pragma omp parallel for simd num_threads(2)
  for (int i = 0; i < 16; i++) {
    a[i] = b[i];  // NORACE: its own
    b[i] = 2;  // NORACE: its own
  }
  return a[3] > 2;
}
