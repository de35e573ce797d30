// An atomic flag with flushes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: a flag that is read once publishes nothing for a proof, and a search cannot end without one
int data, flag;

int main(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      data = 1;  // NORACE: published by the flag
#pragma omp flush
#pragma omp atomic write
      flag = 1;  // NORACE: atomic
    }
#pragma omp section
    {
      int seen;
#pragma omp atomic read
      seen = flag;  // NORACE: atomic
#pragma omp flush
      if (seen) data = 2;  // NORACE: behind the flag
    }
  }
  return data == 0;
}
