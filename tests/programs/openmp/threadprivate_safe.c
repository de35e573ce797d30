// Each thread has a counter of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: what a thread of a team keeps from region to region is not followed
int own, total;
#pragma omp threadprivate(own)

int main(void) {
#pragma omp parallel num_threads(2)
  {
    own++;  // NORACE: each thread has one
#pragma omp atomic
    total += own;  // NORACE: atomic
  }
  return total == 0;
}
