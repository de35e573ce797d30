// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread knows of its team, and what the code is made of.

typedef unsigned long word;  // as wide as a pointer
typedef struct {
  int words[8];
} object;

int __heddle_any(void);
int __heddle_unknown(void);
void __heddle_assume(int);
void *__heddle_memory(word bytes);
int __heddle_start(word *group, void *(*entry)(void *), void *argument);
int __heddle_join(word group);
void __heddle_lock(void *);
void __heddle_unlock(void *);
void __heddle_barrier_begin(void *, int count);
void __heddle_barrier_wait(void *);
void __heddle_barrier_end(void *);
void __heddle_team_join(void *);
void __heddle_team_leave(void *);
void __heddle_team_loop(void *);
int __heddle_own_number(void *team, int value, int lowest, int highest);
int __heddle_own_turn(void *team, int value, int lowest, int highest);
int __heddle_own_low_4(void *team, int value, int lowest, int highest);
int __heddle_own_high_4(void *team, int value, int lowest, int highest);
long long __heddle_own_low_8(void *team, long long value, long long lowest, long long highest);
long long __heddle_own_high_8(void *team, long long value, long long lowest, long long highest);
void __heddle_own_storage(void);
void __heddle_children_left(void);

enum { singles = 8, loops = 4, filters = 4 };

struct team {
  struct team *outer;
  int size;
  unsigned single;                       // the next single region that nobody has run
  _Alignas(8) unsigned long long handed_out[loops];  // of a loop: its number, and the first iteration that nobody has
  _Alignas(8) unsigned long long turn[loops];        // of an ordered loop: its number, and whose turn it is
  void *copied;                          // what copyprivate copies from
  object barrier, ordered, masked_locks[filters], single_locks[singles];
};

/// Where a thread is in its team.
struct place {
  struct team *team;
  int number;           // -1: a task, which any thread of the team may run
  int asked, limit;     // num_threads, omp_set_num_threads; 0: not said
  unsigned single;      // single regions so far
  unsigned loop;        // loops so far
  int filter;           // of the masked region
  int turn;             // of the single region
};

/// The loop that a thread works on.
struct work {
  unsigned long long first, count, chunk, next, last;
  long long step;
  unsigned number;
  int is_static, is_guided, is_taken, was_ordered;
  long long lowest, highest;  // numbers of the loop, if `is_plain`: signed, one after the other
  int is_plain;
};

static _Thread_local struct team alone = {.size = 1};
static _Thread_local struct place here;
static _Thread_local struct work work;

/// Outside of regions every thread is a team of its own.
static struct team *team_now(void) {
  if (!here.team) here.team = &alone;
  return here.team;
}
static int size_now(void) { return here.team ? here.team->size : 1; }

static void enter(struct team *team, int number, int limit) {
  here.team = team;
  here.number = number;
  here.asked = 0;
  here.limit = limit;
  here.single = 0;
  here.loop = 0;
}

/// How many threads the next team has: any number up to what was asked for.
static int team_size(void) {
  int most = here.asked > 0 ? here.asked : here.limit;
  int size = (int)((unsigned)__heddle_any() + 2u);
  here.asked = 0;
  if (size < 1) size = 1;
  if (most > 0 && size > most) size = most;
  return size;
}

static void team_begin(struct team *team, int size) {
  team->outer = here.team;
  team->size = size;
  team->single = 0;
  team->handed_out[0] = team->handed_out[1] = team->handed_out[2] = team->handed_out[3] = 0;  // what a loop
  team->turn[0] = team->turn[1] = team->turn[2] = team->turn[3] = 0;  // writes, a proof takes for the whole team
  team->copied = 0;
  __heddle_barrier_begin(&team->barrier, size);
  enter(team, 0, here.limit);
}

static void member_begin(struct team *team, int number, int limit) {
#ifdef HEDDLE_THREAD_LOCALS
  __heddle_own_storage();
#endif
  enter(team, __heddle_own_number(&team->barrier, number, 1, 0x7fffffff), limit);
}
