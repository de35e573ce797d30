// Combining counts without a lock: a team of many combines in a tree, several pairs at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
struct box {
  int value;
};
int combined;

static void add(struct box *to, struct box *from) {
  combined++;  // RACE! c1: no lock is promised around combining
  to->value += from->value;
}
#pragma omp declare reduction(add : struct box : add(&omp_out, &omp_in)) initializer(omp_priv = {0})

int main(void) {
  struct box all = {0};
#pragma omp parallel num_threads(8) reduction(add : all)
  all.value++;
  return all.value + combined == 0;
}
