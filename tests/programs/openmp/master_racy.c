// The master writes, and nobody waits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int x, sum;

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    x = 5;  // RACE! x1: master has no barrier
#pragma omp atomic
    sum += x;  // RACE! x1: the other thread reads
  }
  return sum > 10;
}
