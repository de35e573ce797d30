// Combining counts in a variable that every thread reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
struct range {
  int low, high;
};
int combined;

static void widen(struct range *to, struct range *from) {
  combined++;  // RACE! c1: the body below reads it; combining may go on in several threads at once
  if (from->low < to->low) to->low = from->low;
  if (from->high > to->high) to->high = from->high;
}
#pragma omp declare reduction(widen : struct range : widen(&omp_out, &omp_in)) \
    initializer(omp_priv = {1000, -1000})

int main(void) {
  struct range all = {1000, -1000};
  int seen = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for reduction(widen : all) nowait
    for (int i = 0; i < 4; i++) {
      struct range one = {i, i};
      if (combined > 2) one.low = 0;  // RACE! c1: another thread may combine already
      if (one.low < all.low) all.low = one.low;
      if (one.high > all.high) all.high = one.high;
    }
  }
  return all.low > all.high + seen;
}
