// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a region that one thread runs: masked, master, single.

/// Only one thread of the team ever takes such a lock, so it keeps nobody out; it tells what needs to be told of the
/// region: one thread runs all that hold it.
int __kmpc_masked(void *place, int thread, int filter) {
  if (here.number != filter) {
    if (here.number < 0) return __heddle_unknown();
    return 0;
  }
  here.filter = filter;
  if (filter >= 0 && filter < filters) __heddle_lock(&team_now()->masked_locks[filter]);
  return 1;
}
void __kmpc_end_masked(void *place, int thread) {
  if (here.filter >= 0 && here.filter < filters) __heddle_unlock(&team_now()->masked_locks[here.filter]);
}
int __kmpc_master(void *place, int thread) {
  if (here.number != 0) {
    if (here.number < 0) return __heddle_unknown();
    return 0;
  }
  __heddle_lock(&team_now()->masked_locks[0]);
  return 1;
}
void __kmpc_end_master(void *place, int thread) { __heddle_unlock(&team_now()->masked_locks[0]); }

/// The lock of the region's number: again only one thread takes it.
int __kmpc_single(void *place, int thread) {
  struct team *team = team_now();
  unsigned mine = here.single++;
  __heddle_team_loop(&team->barrier);
  if (!__atomic_compare_exchange_n(&team->single, &(unsigned){mine}, mine + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return 0;
  here.turn = __heddle_own_turn(&team->barrier, 0, 0, 0);
  __heddle_lock(&team->single_locks[mine % singles]);
  return 1;
}
void __kmpc_end_single(void *place, int thread) {
  __heddle_unlock(&team_now()->single_locks[(here.single - 1) % singles]);
}
/// No run goes through it.
typedef void copying(void *, void *) __attribute__((nothrow));
void __kmpc_copyprivate(void *place, int thread, word bytes, void *list, copying *copy, int is_source) {
  struct team *team = team_now();
  __heddle_unknown();
  if (is_source) __atomic_store_n(&team->copied, list, __ATOMIC_RELAXED);
  __kmpc_barrier(place, thread);
  if (!is_source) copy(list, __atomic_load_n(&team->copied, __ATOMIC_RELAXED));
  __kmpc_barrier(place, thread);
}
