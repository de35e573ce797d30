// Tasks that take part in a reduction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp -fopenmp-version=50
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: reductions of tasks are not treated
int sum;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single  // NORACE: one thread makes the tasks
#pragma omp taskgroup task_reduction(+ : sum)  // NORACE: one thread makes the tasks
  {
#pragma omp task in_reduction(+ : sum)
    sum += 1;  // NORACE: a copy of the thread
#pragma omp task in_reduction(+ : sum)
    sum += 2;  // NORACE: a copy of the thread
  }
  return sum != 3;  // NORACE: the region has ended
}
