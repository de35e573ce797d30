// Two loops made one, each iteration with an element of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int a[4], b[4][4];

int main(void) {
#pragma omp parallel for collapse(2) num_threads(2)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      b[i][j] += a[i];  // NORACE: one thread has it
  return b[0][0] != 0;
}
