// An iteration reads what the one before writes, and waits for the one before that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int a[10];

int main(void) {
#pragma omp parallel for ordered(1) num_threads(3)
  for (int i = 2; i < 10; i++) {
#pragma omp ordered depend(sink : i - 2)
    a[i] = a[i - 1] + 1;  // RACE! a1: nothing waits for iteration i - 1
#pragma omp ordered depend(source)
  }
  return a[9] > 9;
}
