// A ticket that is read and counted in one step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// UNDECIDED: numbers drawn from an atomic counter are not known to differ
int next, slot[8];

int main(void) {
#pragma omp parallel num_threads(2)
  {
    int mine;
#pragma omp atomic capture
    mine = next++;
    slot[mine] = 1;  // NORACE: nobody else has this number
  }
  return slot[0] != 1;
}
