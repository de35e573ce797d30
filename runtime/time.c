/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Time is the thread's own: it begins at the same moment in every execution and passes only where the thread sleeps.
 * So nothing depends on how fast the program runs, and no thread can learn from the clock what others did.
 */
#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"

static const uint64_t a_second = 1000000000u, beginning = 1700000000u;

static uint64_t now(void) { return beginning * a_second + heddle_self->slept; }

/* Nothing that others can feel; but they get a turn. */
static void pass(uint64_t nanoseconds) {
  heddle_self->slept += nanoseconds;
  heddle_self->accesses += 100; /* so that a loop of sleeps comes to an end */
  if (heddle_machine.turns || heddle_self->accesses > HEDDLE_MOST_ACCESSES) heddle_stop_before(HEDDLE_OP_CONTINUE, 0, 0);
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

HEDDLE_EXPORT int nanosleep(const struct timespec* length, struct timespec* rest) {
  if (!heddle_is_controlled()) {
    REAL(int, "nanosleep", const struct timespec*, struct timespec*);
    return real(length, rest);
  }
  pass((uint64_t)length->tv_sec * a_second + (uint64_t)length->tv_nsec);
  return 0;
}

HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec* length, struct timespec* rest) {
  (void)clock;
  if (!heddle_is_controlled()) return nanosleep(length, rest) == 0 ? 0 : errno;
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
