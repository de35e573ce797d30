// A taskgroup waits for children of children.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: a task that ends before its children is not followed
int x;

int main(void) {
#pragma omp parallel num_threads(2)  // NORACE: the team ends behind the tasks
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task  // NORACE: the same
        x = 1;  // NORACE: the group has not ended
      }
    }
    x = 2;  // NORACE: all tasks of the group have ended
  }
  return x == 0;  // NORACE: the region has ended
}
