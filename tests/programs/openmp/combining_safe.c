// Combining counts by an atomic update.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
struct box {
  int value;
};
int combined;

static void add(struct box *to, struct box *from) {
#pragma omp atomic
  combined++;  // NORACE: atomic
  to->value += from->value;  // NORACE: the box of this pair
}
#pragma omp declare reduction(add : struct box : add(&omp_out, &omp_in)) initializer(omp_priv = {0})

int main(void) {
  struct box all = {0};
#pragma omp parallel num_threads(8) reduction(add : all)
  all.value++;  // NORACE: the thread's own
  return all.value + combined == 0;  // NORACE: the region has ended
}
