// Sections of two constructs, with the barrier of the first between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int x, y;

int main(void) {
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      x++;  // NORACE: a section goes to one thread
#pragma omp section
      y++;  // NORACE: the same
    }
#pragma omp sections
    {
#pragma omp section
      y++;  // NORACE: behind the barrier
#pragma omp section
      x++;  // NORACE: behind the barrier
    }
  }
  return x != y;
}
