// A task that adds to the variable itself, beside tasks that take part in its reduction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp -fopenmp-version=50
// NOT-RUNNABLE: needs the runtime of OpenMP
int sum;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single  // RACE s1: known false alarm: one thread makes the tasks
#pragma omp taskgroup task_reduction(+ : sum)  // RACE s1: known false alarm: reductions of tasks are not treated
  {
#pragma omp task in_reduction(+ : sum)
    sum += 1;  // RACE s1: known false alarm: a copy of the thread
#pragma omp task
    sum += 2;  // RACE! s1: the variable itself
#pragma omp task
    sum += 3;  // RACE! s1: the variable itself
  }
  return sum == 0;
}
