// One thread writes, and nobody waits for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int x, sum;

int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
    x = 5;  // RACE! x1: others read
#pragma omp atomic
    sum += x;  // RACE! x1: no barrier
  }
  return sum == 0;
}
