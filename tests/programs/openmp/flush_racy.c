// A plain flag with flushes: the accesses to the flag race, and to the data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int data, flag;

int main(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      data = 1;  // RACE! d1: the flag orders nothing
#pragma omp flush
      flag = 1;  // RACE! f1: not atomic
    }
#pragma omp section
    {
      int seen = flag;  // RACE! f1: not atomic
#pragma omp flush
      if (seen) data = 2;  // RACE! d1: behind a plain read
    }
  }
  return data == 0;
}
