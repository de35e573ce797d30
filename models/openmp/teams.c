// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions: a team is threads that are started and joined.

//@ template team
extern void entry_$k(int *, int *$(, $T)) __asm__("$entry") __attribute__((nothrow));
struct given_$k {
  struct team *team;
  int limit;
  $($T a$i; )
};
struct seat_$k {
  struct given_$k *given;
  int number;
};
static void *member_$k(void *argument) {
  struct seat_$k *seat = argument;
  struct given_$k *given = seat->given;
  struct team *team = given->team;
  if (!team || team->size == 1) return 0;  // a team of one does not use the thread that is always started
  __heddle_team_join(&team->barrier);
  member_begin(team, seat->number, given->limit);
  int number = here.number, bound = 0;
  entry_$k(&number, &bound$(, given->a$i));
  wait_for_children();
  return 0;
}
static void alone_$k(int unused$(, $T a$i)) {
  struct team team;
  int number = 0, bound = 0;
  team_begin(&team, 1);
  entry_$k(&number, &bound$(, a$i));
  wait_for_children();
  __heddle_barrier_end(&team.barrier);
}
static void several_$k(int size$(, $T a$i)) {
  struct team team;
  int number = 0, bound = 0, i = 1;
  struct given_$k given = {&team, here.limit$(, a$i)};
  word members = 0;
  team_begin(&team, size);
  do {
    struct seat_$k *seat = __heddle_memory(sizeof(struct seat_$k));
    seat->given = &given;
    seat->number = i++;
    __heddle_start(&members, member_$k, seat);
  } while (i < size);
  __heddle_team_join(&team.barrier);
  entry_$k(&number, &bound$(, a$i));
  wait_for_children();
  __heddle_join(members);
  __heddle_team_leave(&team.barrier);
  __heddle_barrier_end(&team.barrier);
}
/// A team that may have one thread is not told apart from larger ones: what has ended behind it would not be known.
void team_$k(void *place, int count, void *entry$(, $T a$i)) __asm__("$symbol");
void team_$k(void *place, int count, void *entry$(, $T a$i)) {
  struct place before = here;
  if (has_children()) __heddle_children_left();
  if (here.asked == 1 || (here.asked == 0 && here.limit == 1))
    alone_$k(1$(, a$i));
  else
    several_$k(team_size()$(, a$i));
  here = before;
  here.asked = 0;
}
//@ end

/// A region with one thread, the caller, which calls the function itself.
void __kmpc_serialized_parallel(void *place, int thread) {
  struct place *before = __heddle_memory(sizeof(struct place) + sizeof(struct team));
  struct team *team = (struct team *)(before + 1);
  if (has_children()) __heddle_children_left();
  *before = here;
  team_begin(team, 1);
}
void __kmpc_end_serialized_parallel(void *place, int thread) {
  struct team *team = here.team;
  wait_for_children();
  __heddle_barrier_end(&team->barrier);
  here = ((struct place *)team)[-1];
  here.asked = 0;
}
void __kmpc_push_num_threads(void *place, int thread, int count) { here.asked = count; }
void __kmpc_push_proc_bind(void *place, int thread, int how) {}
int __kmpc_global_thread_num(void *place) { return here.number; }
