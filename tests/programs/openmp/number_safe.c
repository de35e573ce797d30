// Each thread has a slot by its number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int omp_get_thread_num(void);
int slot[8], all[8];

int main(void) {
#pragma omp parallel num_threads(8)
  {
    int me = omp_get_thread_num();
    slot[me] = me;  // NORACE: its own
#pragma omp barrier
    all[me] = slot[0] + slot[7];  // NORACE: behind the barrier
  }
  return all[0] != 7;
}
