// taskwait waits for the task's own children only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int x;

int main(void) {
#pragma omp parallel num_threads(2)  // RACE x1: known false alarm: the team ends behind the tasks, which is not seen
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task  // RACE x1: known false alarm: the same
      x = 1;  // RACE! x1: a child of the child
    }
#pragma omp taskwait
    x = 2;  // RACE! x1: the inner task may still run
  }
  return x == 0;  // RACE x1: known false alarm: the region has ended, which is not seen of tasks
}
