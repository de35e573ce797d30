// A thread-private number that all threads get from the first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: what a thread of a team keeps from region to region is not followed
int own, total;
#pragma omp threadprivate(own)

int main(void) {
  own = 3;  // NORACE: before the region
#pragma omp parallel num_threads(2) copyin(own)  // NORACE: before anybody changes it
  {
    own++;  // NORACE: each thread has one
#pragma omp atomic
    total += own;  // NORACE: atomic
  }
  return total == 0;  // NORACE: the region has ended
}
