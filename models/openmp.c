// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang's OpenMP calls do, as code: a team is threads that are started and joined, a task is a thread. Functions
// whose names begin with __heddle_ have models in openmp.toml.
//
// Only what OpenMP promises (the end of a region, barriers, locks, waiting for tasks) may order accesses of the
// program. So the runtime's own state is thread-local, or ordered by starting and joining, or accessed by relaxed
// atomics, which order nothing.
//
// A part between `//@ template` and `//@ end` is written once for each region or task (docs/models.md).

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
void __heddle_own_storage(void);
void __heddle_children_left(void);

enum { singles = 8, loops = 8, filters = 4 };

struct team {
  struct team *outer;
  int size;
  int next;                              // how many members have begun
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
};

/// The loop that a thread works on.
struct work {
  unsigned long long first, count, chunk, next, last;
  long long step;
  unsigned number;
  int is_static, is_guided, is_taken, was_ordered;
};

static _Thread_local struct team alone;
static _Thread_local struct place here;
static _Thread_local struct work work;

/// Outside of regions every thread is a team of its own.
static struct team *team_now(void) {
  if (!here.team) {
    alone.size = 1;
    here.team = &alone;
  }
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
  __atomic_store_n(&team->next, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&team->single, 0, __ATOMIC_RELAXED);
  for (int i = 0; i < loops; i++) {
    __atomic_store_n(&team->handed_out[i], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&team->turn[i], 0, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&team->copied, 0, __ATOMIC_RELAXED);
  __heddle_barrier_begin(&team->barrier, size);
  enter(team, 0, here.limit);
}

/// False: the team has no such member. There is always one thread besides the caller, which a team of one does not use.
static int member_begin(struct team *team, int limit) {
#ifdef HEDDLE_THREAD_LOCALS
  __heddle_own_storage();
#endif
  if (team->size == 1) return 0;
  enter(team, 1 + (__atomic_fetch_add(&team->next, 1, __ATOMIC_RELAXED) & 0xffffff), limit);
  return 1;
}

// --- tasks

/// In front of what the program knows as the task.
struct task {
  struct team *team;
  word bytes;
};

//@ template task_memory
void *made_$k(void *place, int thread, int flags, word bytes, word shared, void *entry) __asm__("$symbol");
void *made_$k(void *place, int thread, int flags, word bytes, word shared, void *entry) {
  char *memory = __heddle_memory(sizeof(struct task) + bytes + shared);
  struct task *task = (struct task *)memory;
  char *known = memory + sizeof(struct task);
  task->team = here.team;
  task->bytes = bytes;
  ((void **)known)[0] = known + bytes;
  ((void **)known)[1] = entry;
  ((int *)(known + 2 * sizeof(void *)))[0] = 0;
  return known;
}
//@ end

//@ template task
extern int task_entry_$k(int, void *) __asm__("$entry") __attribute__((nothrow));
static _Thread_local word children_$k;
static void children_end_$k(void);
static void *task_run_$k(void *argument) {
#ifdef HEDDLE_THREAD_LOCALS
  __heddle_own_storage();
#endif
  enter(((struct task *)argument)->team, -1, 0);
  task_entry_$k(-1, (char *)argument + sizeof(struct task));
  children_end_$k();
  return 0;
}
static void task_start_$k(void *known) {
  if (size_now() == 1)
    task_entry_$k(here.number, known);
  else
    __heddle_start(&children_$k, task_run_$k, (char *)known - sizeof(struct task));
}
int task_$k(void *place, int thread, void *known) __asm__("$symbol");
int task_$k(void *place, int thread, void *known) {
  task_start_$k(known);
  return 0;
}
//@ end

#define WAIT_FOR(k)           \
  __heddle_join(children_##k); \
  children_##k = 0;
#define OR_LEFT(k) | (children_##k != 0)

static void wait_for_children(void) { HEDDLE_EACH_task(WAIT_FOR) }
static int has_children(void) { return 0 HEDDLE_EACH_task(OR_LEFT); }
/// Tasks that outlive the task that made them: a barrier would wait for them, and nothing here does.
#define CHILDREN_END(k) \
  static void children_end_##k(void) { if (has_children()) __heddle_unknown(); }
HEDDLE_EACH_task(CHILDREN_END)

int __kmpc_omp_taskwait(void *place, int thread) {
  wait_for_children();
  return 0;
}
int __kmpc_omp_taskyield(void *place, int thread, int end) { return 0; }
/// Only those made in the group are waited for at its end.
void __kmpc_taskgroup(void *place, int thread) { if (has_children()) __heddle_children_left(); }
void __kmpc_end_taskgroup(void *place, int thread) { wait_for_children(); }
/// The program calls the task itself, and what that waits for are its own children.
void __kmpc_omp_task_begin_if0(void *place, int thread, void *task) {
  if (has_children()) __heddle_children_left();
}
void __kmpc_omp_task_complete_if0(void *place, int thread, void *task) {
  if (has_children()) __heddle_children_left();
}
/// Dependences only order: nothing rests on them here, and no run may go on.
void __kmpc_omp_wait_deps(void *place, int thread, int count, void *list, int others, void *other_list) {
  __heddle_unknown();
}
void __kmpc_omp_taskwait_deps_51(void *place, int thread, int count, void *list, int others, void *other_list,
                                 int has_no_wait) {
  __heddle_unknown();
}

static unsigned long long any_number(void) {
  return (unsigned long long)(unsigned)__heddle_any() << 32 | (unsigned)__heddle_any();
}

//@ template task_after
int task_after_$k(void *place, int thread, void *known, int count, void *list, int others, void *other_list)
    __asm__("$symbol");
int task_after_$k(void *place, int thread, void *known, int count, void *list, int others, void *other_list) {
  __heddle_unknown();
  task_start_$k(known);
  return 0;
}
//@ end

/// Copies of the task, each with some of the iterations.
//@ template task_loop
void task_loop_$k(void *place, int thread, void *known, int is_run, unsigned long long *low, unsigned long long *high,
                  long long step, int has_no_group, int how, unsigned long long size,
                  void (*copy)(void *, void *, int)) __asm__("$symbol");
void task_loop_$k(void *place, int thread, void *known, int is_run, unsigned long long *low, unsigned long long *high,
                  long long step, int has_no_group, int how, unsigned long long size,
                  void (*copy)(void *, void *, int)) {
  struct task *task = (struct task *)((char *)known - sizeof(struct task));
  if (!has_no_group && has_children()) __heddle_children_left();
  __heddle_unknown();
  do {
    char *memory = __heddle_memory(sizeof(struct task) + task->bytes);
    char *other = memory + sizeof(struct task);
    __builtin_memcpy(memory, task, sizeof(struct task) + task->bytes);
    *(unsigned long long *)(other + ((char *)low - (char *)known)) = any_number();
    *(unsigned long long *)(other + ((char *)high - (char *)known)) = any_number();
    if (copy) copy(other, known, __heddle_any());
    task_start_$k(other);
  } while (__heddle_any());
  if (!has_no_group) wait_for_children();
}
//@ end

// --- regions

//@ template team
extern void entry_$k(int *, int *$(, $T)) __asm__("$entry") __attribute__((nothrow));
struct given_$k {
  struct team *team;
  int limit;
  $($T a$i; )
};
static void *member_$k(void *argument) {
  struct given_$k *given = argument;
  if (!member_begin(given->team, given->limit)) return 0;
  int number = here.number, bound = 0;
  entry_$k(&number, &bound$(, given->a$i));
  wait_for_children();
  return 0;
}
void team_$k(void *place, int count, void *entry$(, $T a$i)) __asm__("$symbol");
void team_$k(void *place, int count, void *entry$(, $T a$i)) {
  struct team team;
  struct place before = here;
  int size = team_size(), number = 0, bound = 0, i = 1;
  struct given_$k given = {&team, here.limit$(, a$i)};
  word members = 0;
  if (has_children()) __heddle_children_left();
  team_begin(&team, size);
  do {
    __heddle_start(&members, member_$k, &given);
    i++;
  } while (i < size);
  entry_$k(&number, &bound$(, a$i));
  wait_for_children();
  __heddle_join(members);
  __heddle_barrier_end(&team.barrier);
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

void __kmpc_barrier(void *place, int thread) {
  wait_for_children();
  if (here.team) __heddle_barrier_wait(&here.team->barrier);
}
int __kmpc_cancel_barrier(void *place, int thread) {
  __kmpc_barrier(place, thread);
  return 0;
}
void __kmpc_flush(void *place) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

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
  if (!__atomic_compare_exchange_n(&team->single, &(unsigned){mine}, mine + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return 0;
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

void __kmpc_critical(void *place, int thread, void *name) { __heddle_lock(name); }
void __kmpc_critical_with_hint(void *place, int thread, void *name, int hint) { __heddle_lock(name); }
void __kmpc_end_critical(void *place, int thread, void *name) { __heddle_unlock(name); }

/// All reductions are done under their lock; the runtime may also use atomic accesses, or a tree.
int __kmpc_reduce_nowait(void *place, int thread, int count, word bytes, void *list, void *combine, void *name) {
  __heddle_lock(name);
  return 1;
}
void __kmpc_end_reduce_nowait(void *place, int thread, void *name) { __heddle_unlock(name); }
int __kmpc_reduce(void *place, int thread, int count, word bytes, void *list, void *combine, void *name) {
  __heddle_lock(name);
  return 1;
}
void __kmpc_end_reduce(void *place, int thread, void *name) {
  __heddle_unlock(name);
  __kmpc_barrier(place, thread);
}

// --- loops

enum { static_chunked = 33, static_plain = 34, dynamic_chunked = 35, guided_chunked = 36, ordered_by = 32 };

/// The part of the iterations 0 … count - 1 that a thread has: one block.
static void own_block(unsigned long long count, unsigned long long *from, unsigned long long *length) {
  unsigned long long threads = (unsigned long long)size_now(), mine = (unsigned long long)here.number;
  unsigned long long small = count / threads, larger = count % threads;
  *from = mine * small + (mine < larger ? mine : larger);
  *length = small + (mine < larger);
}

static void need_number(void) {
  if (here.number < 0) __heddle_unknown();
}

#define STATIC_LOOP(NAME, TYPE, DIFFERENCE)                                                                           \
  void NAME(void *place, int thread, int schedule, int *is_last, TYPE *low, TYPE *high, DIFFERENCE *stride,            \
            DIFFERENCE step, DIFFERENCE chunk) {                                                                       \
    unsigned long long first = (unsigned long long)*low, by = (unsigned long long)step, count = 0, from, length;       \
    int has_any = step > 0 ? *low <= *high : *low >= *high;                                                            \
    need_number();                                                                                                     \
    if (has_any)                                                                                                       \
      count = step > 0 ? ((unsigned long long)*high - (unsigned long long)*low) / by + 1                               \
                       : ((unsigned long long)*low - (unsigned long long)*high) / (0 - by) + 1;                        \
    if (schedule == static_chunked) {                                                                                  \
      unsigned long long size = chunk < 1 ? 1 : (unsigned long long)chunk;                                             \
      from = size * (unsigned long long)here.number;                                                                   \
      length = size;                                                                                                   \
      *stride = (DIFFERENCE)(size * by * (unsigned long long)size_now());                                              \
      *is_last = has_any && (count - 1) / size % (unsigned long long)size_now() == (unsigned long long)here.number;    \
    } else {                                                                                                           \
      own_block(count, &from, &length);                                                                                \
      *stride = (DIFFERENCE)(count * by);                                                                              \
      *is_last = length > 0 && from + length == count;                                                                 \
    }                                                                                                                  \
    *low = (TYPE)(first + from * by);                                                                                  \
    *high = (TYPE)(first + (from + length) * by - by);                                                                 \
  }
STATIC_LOOP(__kmpc_for_static_init_4, int, int)
STATIC_LOOP(__kmpc_for_static_init_4u, unsigned, int)
STATIC_LOOP(__kmpc_for_static_init_8, long long, long long)
STATIC_LOOP(__kmpc_for_static_init_8u, unsigned long long, long long)
void __kmpc_for_static_fini(void *place, int thread) {}

static void loop_begin(int schedule, unsigned long long first, unsigned long long count, long long step,
                       unsigned long long chunk) {
  int kind = schedule & ~(3 << 29);
  int is_ordered = kind > 64;
  if (is_ordered) kind -= ordered_by;
  work.first = first;
  work.count = count;
  work.step = step;
  work.chunk = chunk < 1 ? 1 : chunk;
  work.number = ++here.loop;
  work.is_static = kind == static_plain ? 1 : kind == static_chunked ? 2 : 0;
  work.is_guided = kind == guided_chunked;
  work.is_taken = 0;
  work.next = 0;
  need_number();
}

/// The next iterations that a thread gets, `from` to `to` - 1. False: there are none.
static int next_dynamic(unsigned long long *from, unsigned long long *to) {
  unsigned long long *counter = &team_now()->handed_out[work.number % loops], old, start, size;
  do {
    old = __atomic_load_n(counter, __ATOMIC_RELAXED);
    if ((old >> 32) > work.number) return 0;  // all others are far ahead: nothing was left
    start = (old >> 32) == work.number ? old & 0xffffffffu : 0;
    if (start >= work.count) return 0;
    size = work.is_guided ? (work.count - start) / (2 * (unsigned long long)size_now()) : work.chunk;
    if (size < work.chunk) size = work.chunk;
    if (size > work.count - start) size = work.count - start;
  } while (!__atomic_compare_exchange_n(counter, &old, (unsigned long long)work.number << 32 | (start + size), 0,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  *from = start;
  *to = start + size;
  return 1;
}

static int next_iterations(unsigned long long *from, unsigned long long *to) {
  if (work.is_static == 0) return next_dynamic(from, to);
  if (work.is_static == 1) {
    unsigned long long length;
    own_block(work.count, from, &length);
    *to = *from + length;
    if (work.is_taken || length == 0) return 0;
    work.is_taken = 1;
    return 1;
  }
  unsigned long long threads = (unsigned long long)size_now();
  *from = ((unsigned long long)here.number + work.next++ * threads) * work.chunk;
  if (*from >= work.count) return 0;
  *to = work.count - *from < work.chunk ? work.count : *from + work.chunk;
  return 1;
}

#define DYNAMIC_LOOP(SUFFIX, TYPE, DIFFERENCE)                                                                        \
  void __kmpc_dispatch_init_##SUFFIX(void *place, int thread, int schedule, TYPE low, TYPE high, DIFFERENCE step,      \
                                     DIFFERENCE chunk) {                                                               \
    unsigned long long count = 0;                                                                                      \
    if (step > 0 ? low <= high : low >= high)                                                                          \
      count = step > 0 ? ((unsigned long long)high - (unsigned long long)low) / (unsigned long long)step + 1           \
                       : ((unsigned long long)low - (unsigned long long)high) / (0 - (unsigned long long)step) + 1;    \
    loop_begin(schedule, (unsigned long long)low, count, step, chunk < 1 ? 1 : (unsigned long long)chunk);             \
  }                                                                                                                    \
  int __kmpc_dispatch_next_##SUFFIX(void *place, int thread, int *is_last, TYPE *low, TYPE *high,                      \
                                    DIFFERENCE *stride) {                                                              \
    unsigned long long from = 0, to = 0;                                                                               \
    if (!next_iterations(&from, &to)) return 0;                                                                        \
    work.last = from;                                                                                                  \
    work.was_ordered = 0;                                                                                              \
    *low = (TYPE)(work.first + from * (unsigned long long)work.step);                                                  \
    *high = (TYPE)(work.first + (to - 1) * (unsigned long long)work.step);                                             \
    *stride = (DIFFERENCE)work.step;                                                                                   \
    *is_last = to == work.count;                                                                                       \
    return 1;                                                                                                          \
  }                                                                                                                    \
  void __kmpc_dispatch_fini_##SUFFIX(void *place, int thread) {                                                        \
    if (!work.was_ordered) ordered_turn();                                                                             \
    next_turn();                                                                                                       \
    work.was_ordered = 0;                                                                                              \
    work.last++;                                                                                                       \
  }

/// Ordered regions: iteration after iteration. Runs in which a thread comes before its turn are left out.
static void ordered_turn(void) {
  unsigned long long turn = __atomic_load_n(&team_now()->turn[work.number % loops], __ATOMIC_RELAXED);
  __heddle_assume(work.last == ((turn >> 32) == work.number ? turn & 0xffffffffu : 0));
}
static void next_turn(void) {
  __atomic_store_n(&team_now()->turn[work.number % loops],
                   (unsigned long long)work.number << 32 | ((work.last + 1) & 0xffffffffu), __ATOMIC_RELAXED);
}
void __kmpc_ordered(void *place, int thread) {
  __heddle_lock(&team_now()->ordered);
  ordered_turn();
  work.was_ordered = 1;
}
void __kmpc_end_ordered(void *place, int thread) { __heddle_unlock(&team_now()->ordered); }

DYNAMIC_LOOP(4, int, int)
DYNAMIC_LOOP(4u, unsigned, int)
DYNAMIC_LOOP(8, long long, long long)
DYNAMIC_LOOP(8u, unsigned long long, long long)
void __kmpc_dispatch_deinit(void *place, int thread) {}

// --- omp.h

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
