/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Time is the thread's own: it begins at the same moment in every execution and passes only where the thread sleeps.
 * So nothing depends on how fast the program runs, and no thread can learn from the clock what others did.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"

static const uint64_t a_second = 1000000000u, beginning = 1700000000u;

/* What is known of the program, from all executions. */
static struct heddle_time {
  uint8_t is_read;   /* it looks at the clock */
  uint8_t is_unseen; /* a thread slept before that was known, and it counted as nothing */
} knowledge;
void heddle_set_up_time(void) { heddle_keep(&knowledge, sizeof knowledge); }

static uint64_t now(void) {
  if (!knowledge.is_read && knowledge.is_unseen) heddle_note_open_end("time passed before a thread looked at the clock");
  knowledge.is_read = 1;
  return beginning * a_second + heddle_self->slept;
}

/* Nothing that others can feel; but they get a turn. A thread that looks at the clock can feel it itself. */
static void pass(uint64_t nanoseconds) {
  heddle_self->slept += nanoseconds;
  if (nanoseconds > 0 && knowledge.is_read) heddle_machine.left_traces = 1;
  if (nanoseconds > 0 && !knowledge.is_read) knowledge.is_unseen = 1;
  heddle_self->accesses += 100; /* so that a loop of sleeps comes to an end */
  if (heddle_machine.turns || heddle_self->accesses > HEDDLE_MOST_ACCESSES) heddle_stop_before(HEDDLE_OP_CONTINUE, 0, 0);
}

void heddle_sleep(uint64_t nanoseconds) { pass(nanoseconds); }

void heddle_sleep_until(const struct timespec* until) {
  const uint64_t end = (uint64_t)until->tv_sec * a_second + (uint64_t)until->tv_nsec;
  const uint64_t here = beginning * a_second + heddle_self->slept;
  if (end > here) pass(end - here);
}

static struct timespec in_parts(uint64_t nanoseconds) {
  return (struct timespec){(time_t)(nanoseconds / a_second), (long)(nanoseconds % a_second)};
}

#define REAL(type, name, ...)                                                       \
  static type (*real)(__VA_ARGS__);                                                 \
  if (real == NULL) real = (type(*)(__VA_ARGS__))(uintptr_t)heddle_real(name)

HEDDLE_EXPORT int clock_gettime(clockid_t clock, struct timespec* time) {
  if (!heddle_is_controlled()) {
    REAL(int, "clock_gettime", clockid_t, struct timespec*);
    return real(clock, time);
  }
  *time = in_parts(now());
  return 0;
}

HEDDLE_EXPORT int gettimeofday(struct timeval* restrict time, void* restrict zone) {
  if (!heddle_is_controlled()) {
    REAL(int, "gettimeofday", struct timeval*, void*);
    return real(time, zone);
  }
  *time = (struct timeval){(time_t)(now() / a_second), (suseconds_t)(now() % a_second / 1000)};
  return 0;
}

HEDDLE_EXPORT time_t time(time_t* result) {
  if (!heddle_is_controlled()) {
    REAL(time_t, "time", time_t*);
    return real(result);
  }
  const time_t seconds = (time_t)(now() / a_second);
  if (result != NULL) *result = seconds;
  return seconds;
}

HEDDLE_EXPORT int timespec_get(struct timespec* time, int base) {
  if (base != TIME_UTC) return 0;
  return clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}

/* No time passes while it computes. */
HEDDLE_EXPORT clock_t clock(void) {
  if (heddle_is_controlled()) return 0;
  REAL(clock_t, "clock", void);
  return real();
}
HEDDLE_EXPORT int getrusage(__rusage_who_t who, struct rusage* usage) {
  if (!heddle_is_controlled()) {
    REAL(int, "getrusage", __rusage_who_t, struct rusage*);
    return real(who, usage);
  }
  memset(usage, 0, sizeof *usage);
  return 0;
}
HEDDLE_EXPORT clock_t times(struct tms* times) {
  if (!heddle_is_controlled()) {
    REAL(clock_t, "times", struct tms*);
    return real(times);
  }
  memset(times, 0, sizeof *times);
  return (clock_t)(now() / 10000000u);
}

HEDDLE_EXPORT int nanosleep(const struct timespec* length, struct timespec* rest) {
  if (!heddle_is_controlled()) {
    REAL(int, "nanosleep", const struct timespec*, struct timespec*);
    return real(length, rest);
  }
  heddle_test_cancel();
  if (!heddle_is_time(length)) {
    errno = EINVAL;
    return -1;
  }
  pass((uint64_t)length->tv_sec * a_second + (uint64_t)length->tv_nsec);
  return 0;
}

HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec* length, struct timespec* rest) {
  (void)clock;
  if (!heddle_is_controlled()) return nanosleep(length, rest) == 0 ? 0 : errno;
  heddle_test_cancel();
  if (!heddle_is_time(length)) return EINVAL;
  const uint64_t until = (uint64_t)length->tv_sec * a_second + (uint64_t)length->tv_nsec;
  if (!(flags & TIMER_ABSTIME)) pass(until);
  if (flags & TIMER_ABSTIME) pass(until > now() ? until - now() : 0);
  return 0;
}

HEDDLE_EXPORT int usleep(useconds_t length) {
  const struct timespec time = in_parts((uint64_t)length * 1000);
  return nanosleep(&time, NULL);
}

HEDDLE_EXPORT unsigned sleep(unsigned seconds) {
  const struct timespec time = {(time_t)seconds, 0};
  nanosleep(&time, NULL);
  return 0;
}

HEDDLE_EXPORT int thrd_sleep(const struct timespec* length, struct timespec* rest) { return nanosleep(length, rest); }

HEDDLE_EXPORT int sched_yield(void) {
  if (heddle_is_controlled()) pass(0);
  return 0;
}
HEDDLE_EXPORT void thrd_yield(void) { sched_yield(); }

/* Random numbers: the same ones in every execution, another sequence for each thread. */
static uint64_t next_random(void) {
  static uint64_t before_main;
  if (heddle_is_real && !heddle_is_controlled()) {
    uint64_t word = 0;
    heddle_syscall(SYS_getrandom, &word, sizeof word, 0);
    return word;
  }
  uint64_t* const state = !heddle_is_controlled() ? &before_main : &heddle_self->random;
  uint64_t x = (*state += 0x9e3779b97f4a7c15u) + (!heddle_is_controlled() ? 0 : (uint64_t)(heddle_self - heddle_threads) << 32);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  heddle_machine.left_traces = 1;
  return x ^ x >> 31;
}
HEDDLE_EXPORT void arc4random_buf(void* to, size_t count) {
  for (char* at = to; count > 0;) {
    const uint64_t word = next_random();
    const size_t part = count < sizeof word ? count : sizeof word;
    memcpy(at, &word, part);
    at += part;
    count -= part;
  }
}
HEDDLE_EXPORT uint32_t arc4random(void) { return (uint32_t)next_random(); }
HEDDLE_EXPORT uint32_t arc4random_uniform(uint32_t limit) { return limit == 0 ? 0 : (uint32_t)next_random() % limit; }
HEDDLE_EXPORT ssize_t getrandom(void* to, size_t count, unsigned flags) {
  (void)flags;
  arc4random_buf(to, count);
  return (ssize_t)count;
}
HEDDLE_EXPORT int getentropy(void* to, size_t count) {
  arc4random_buf(to, count);
  return 0;
}
/* std::random_device::_M_getval() */
unsigned _ZNSt13random_device9_M_getvalEv(void* device);
HEDDLE_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
  (void)device;
  return (unsigned)next_random();
}
