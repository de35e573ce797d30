// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, and sections, which clang makes loops: how iterations are dealt out.

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

/// The thread's own iterations, in signed numbers: one block. An empty one begins behind the last and ends with it.
#define OWN_BLOCK(NAME, TYPE, LOW, HIGH)                                                 \
  static void NAME(TYPE *low, TYPE *high) {                                              \
    struct team *team = team_now();                                                      \
    TYPE first = *low, last = *high, begin = first, end = last;                          \
    __heddle_team_loop(&team->barrier);                                                  \
    if (first <= last) {                                                                 \
      unsigned long long from, length;                                                   \
      own_block((unsigned long long)last - (unsigned long long)first + 1, &from, &length); \
      begin = (TYPE)((unsigned long long)first + from);                                  \
      end = (TYPE)((unsigned long long)begin + length - 1);                              \
    }                                                                                    \
    *low = LOW(&team->barrier, begin, first, last);                                      \
    *high = HIGH(&team->barrier, end, first, last);                                      \
  }
OWN_BLOCK(own_block_4, int, __heddle_own_low_4, __heddle_own_high_4)
OWN_BLOCK(own_block_8, long long, __heddle_own_low_8, __heddle_own_high_8)

/// `is_last` is set where the block is not empty and ends with the loop. LIMIT: up to it numbers are the same signed.
#define STATIC_LOOP(NAME, TYPE, DIFFERENCE, BLOCK, LIMIT)                                                             \
  void NAME(void *place, int thread, int schedule, int *is_last, TYPE *low, TYPE *high, DIFFERENCE *stride,            \
            DIFFERENCE step, DIFFERENCE chunk) {                                                                       \
    unsigned long long first = (unsigned long long)*low, by = (unsigned long long)step, count = 0, from, length;       \
    int has_any = step > 0 ? *low <= *high : *low >= *high;                                                            \
    TYPE last = *high;                                                                                                 \
    need_number();                                                                                                     \
    if (schedule != static_chunked && step == 1 && LIMIT) {                                                            \
      *stride = (DIFFERENCE)(last - *low + 1);                                                                         \
      BLOCK((DIFFERENCE *)low, (DIFFERENCE *)high);                                                                    \
      *is_last = (*low <= *high) & (*high == last);                                                                    \
      return;                                                                                                          \
    }                                                                                                                  \
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
STATIC_LOOP(__kmpc_for_static_init_4, int, int, own_block_4, 1)
STATIC_LOOP(__kmpc_for_static_init_4u, unsigned, int, own_block_4, last <= 0x7fffffffu)
STATIC_LOOP(__kmpc_for_static_init_8, long long, long long, own_block_8, 1)
STATIC_LOOP(__kmpc_for_static_init_8u, unsigned long long, long long, own_block_8, last <= 0x7fffffffffffffffu)
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
  __heddle_team_loop(&team_now()->barrier);
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

#define DYNAMIC_LOOP(SUFFIX, TYPE, DIFFERENCE, LOW, HIGH, LIMIT)                                                      \
  void __kmpc_dispatch_init_##SUFFIX(void *place, int thread, int schedule, TYPE low, TYPE high, DIFFERENCE step,      \
                                     DIFFERENCE chunk) {                                                               \
    unsigned long long count = 0;                                                                                      \
    if (step > 0 ? low <= high : low >= high)                                                                          \
      count = step > 0 ? ((unsigned long long)high - (unsigned long long)low) / (unsigned long long)step + 1           \
                       : ((unsigned long long)low - (unsigned long long)high) / (0 - (unsigned long long)step) + 1;    \
    loop_begin(schedule, (unsigned long long)low, count, step, chunk < 1 ? 1 : (unsigned long long)chunk);             \
    work.is_plain = step == 1 && LIMIT;                                                                                \
    work.lowest = (long long)low;                                                                                      \
    work.highest = (long long)high;                                                                                    \
  }                                                                                                                    \
  int __kmpc_dispatch_next_##SUFFIX(void *place, int thread, int *is_last, TYPE *low, TYPE *high,                      \
                                    DIFFERENCE *stride) {                                                              \
    unsigned long long from = work.count, to = work.count;                                                             \
    int has_any = next_iterations(&from, &to);                                                                         \
    if (!has_any) from = to = work.count;                                                                              \
    work.last = from;                                                                                                  \
    work.was_ordered = 0;                                                                                              \
    *low = (TYPE)(work.first + from * (unsigned long long)work.step);                                                  \
    *high = (TYPE)(work.first + (to - 1) * (unsigned long long)work.step);                                             \
    *stride = (DIFFERENCE)work.step;                                                                                   \
    if (work.is_plain) {                                                                                               \
      void *team = &team_now()->barrier;                                                                               \
      DIFFERENCE lowest = (DIFFERENCE)work.lowest, highest = (DIFFERENCE)work.highest;                                 \
      *low = (TYPE)LOW(team, (DIFFERENCE)*low, lowest, highest);                                                       \
      *high = (TYPE)HIGH(team, (DIFFERENCE)*high, lowest, highest);                                                    \
    }                                                                                                                  \
    *is_last = has_any & (to == work.count);                                                                           \
    return has_any;                                                                                                    \
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

DYNAMIC_LOOP(4, int, int, __heddle_own_low_4, __heddle_own_high_4, 1)
DYNAMIC_LOOP(4u, unsigned, int, __heddle_own_low_4, __heddle_own_high_4, high <= 0x7fffffffu)
DYNAMIC_LOOP(8, long long, long long, __heddle_own_low_8, __heddle_own_high_8, 1)
DYNAMIC_LOOP(8u, unsigned long long, long long, __heddle_own_low_8, __heddle_own_high_8, high <= 0x7fffffffffffffffu)
void __kmpc_dispatch_deinit(void *place, int thread) {}
