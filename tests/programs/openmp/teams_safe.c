// Iterations that are dealt out to teams and their threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: teams of teams are not treated
int a[16];

int main(void) {
#pragma omp teams distribute parallel for num_teams(2)
  for (int i = 0; i < 16; i++)
    a[i] = i;  // NORACE: an iteration goes to one thread
  return a[3] != 3;
}
