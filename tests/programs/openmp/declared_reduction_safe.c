// A reduction that the program defines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
struct range {
  int low, high;
};

static void widen(struct range *to, struct range *from) {
  if (from->low < to->low) to->low = from->low;  // NORACE: one thread combines at a time
  if (from->high > to->high) to->high = from->high;  // NORACE: the same
}
#pragma omp declare reduction(widen : struct range : widen(&omp_out, &omp_in)) \
    initializer(omp_priv = {1000, -1000})

int main(void) {
  struct range all = {1000, -1000};
#pragma omp parallel num_threads(2)
  {
#pragma omp for reduction(widen : all)
    for (int i = 0; i < 4; i++) {
      struct range one = {i, i};
      if (one.low < all.low) all.low = one.low;  // NORACE: the thread's own
      if (one.high > all.high) all.high = one.high;  // NORACE: the thread's own
    }
  }
  return all.low > all.high;  // NORACE: the region has ended
}
