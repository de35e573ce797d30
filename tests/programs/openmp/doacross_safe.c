// An iteration waits for the one before it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: waiting for iterations is not treated
int a[10];

int main(void) {
#pragma omp parallel for ordered(1) num_threads(3)
  for (int i = 1; i < 10; i++) {
#pragma omp ordered depend(sink : i - 1)
    a[i] = a[i - 1] + 1;  // NORACE: iteration i - 1 has come to its source
#pragma omp ordered depend(source)
  }
  return a[9] > 9;
}
