// Sections of two constructs without a barrier between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int x, y;

int main(void) {
#pragma omp parallel
  {
#pragma omp sections nowait
    {
#pragma omp section
      x++;  // RACE! x1: the other construct may have begun
#pragma omp section
      y++;  // RACE! y1: the same
    }
#pragma omp sections
    {
#pragma omp section
      y++;  // RACE! y1: nobody waited
#pragma omp section
      x++;  // RACE! x1: nobody waited
    }
  }
  return x == 3;
}
