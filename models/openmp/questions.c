// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What omp.h answers.

int omp_get_thread_num(void) { return here.number < 0 ? __heddle_unknown() : here.number; }
int omp_get_num_threads(void) { return size_now(); }
int omp_get_max_threads(void) { return here.limit > 0 ? here.limit : 1 + (__heddle_unknown() & 0xffffff); }
int omp_get_num_procs(void) { return 1 + (__heddle_unknown() & 0xffffff); }
void omp_set_num_threads(int count) { here.limit = count; }
int omp_in_parallel(void) { return size_now() > 1; }
int omp_get_level(void) {
  int level = 0;
  for (struct team *team = here.team; team; team = team->outer) level++;
  return level;
}
