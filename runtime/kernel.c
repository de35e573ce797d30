/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls of the kernel by their number: futexes, on which C++ builds waiting for atomics, and what has a function of its
 * own in this library.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"

/* Not the word itself: that is memory, and no lock. */
static uint64_t futex_at(uint64_t address) { return (uint64_t)1 << 60 | address; }

static long fail(int error) {
  errno = error;
  return -1;
}

/* `until`: when, or for how long. */
static long wait_on_futex(uint64_t address, uint32_t expected, const struct timespec* until, int is_length) {
  const int is_timed = until != NULL;
  struct heddle_thread* const self = heddle_self;
  if (self->in_section) heddle_refuse("a wait inside an atomic section");
  heddle_stop_before(HEDDLE_OP_WAIT, futex_at(address), 0);
  const uint32_t found = __atomic_load_n((uint32_t*)(uintptr_t)address, __ATOMIC_SEQ_CST);
  heddle_add_deed(HEDDLE_DEED_ATOMIC_READ, address, sizeof found, self->view.key, HEDDLE_ACQUIRES | HEDDLE_RELEASES);
  heddle_add_sync(HEDDLE_DEED_USES, (void*)(uintptr_t)futex_at(address), 0);
  if (found != expected) return fail(EAGAIN);
  heddle_wait(futex_at(address), 0, is_timed, 0);
  heddle_add_sync(HEDDLE_DEED_USES, (void*)(uintptr_t)futex_at(address), 0);
  if (!is_timed || self->view.was_signalled) return 0;
  if (is_length) heddle_sleep((uint64_t)until->tv_sec * 1000000000u + (uint64_t)until->tv_nsec);
  if (!is_length) heddle_sleep_until(until);
  return fail(ETIMEDOUT);
}

static long wake_futex(uint64_t address, int count) {
  if (count <= 0) return 0;
  heddle_stop_before(count == 1 ? HEDDLE_OP_SIGNAL : HEDDLE_OP_BROADCAST, futex_at(address), 0);
  heddle_add_sync(HEDDLE_DEED_USES, (void*)(uintptr_t)futex_at(address), 0);
  return (long)heddle_wake(futex_at(address), (uint32_t)count);
}

static long use_futex(uint64_t address, int what, uint64_t value, uint64_t timeout) {
  switch (what & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: return wait_on_futex(address, (uint32_t)value, (void*)(uintptr_t)timeout, 1);
    case FUTEX_WAIT_BITSET: return wait_on_futex(address, (uint32_t)value, (void*)(uintptr_t)timeout, 0);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return wake_futex(address, (int)value);
    default: heddle_refuse("an operation on a futex other than waiting and waking");
  }
}

/* Of the C library. */
static long call(long number, const uint64_t a[6]) {
  HEDDLE_REAL(long, syscall, (long, ...));
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void take_words(va_list list, uint64_t a[6]) {
  for (int i = 0; i < 6; ++i) a[i] = va_arg(list, uint64_t);
}

long heddle_syscall(long number, ...) {
  uint64_t a[6];
  va_list list;
  va_start(list, number);
  take_words(list, a);
  va_end(list);
  return call(number, a);
}

HEDDLE_EXPORT long syscall(long number, ...) {
  uint64_t a[6];
  va_list list;
  va_start(list, number);
  take_words(list, a);
  va_end(list);
  if (!heddle_is_controlled()) {
    if (heddle_is_real && number == SYS_futex) heddle_real_passed(); /* it may wait */
    return call(number, a);
  }
  switch (number) {
    case SYS_futex: return use_futex(a[0], (int)a[1], a[2], a[3]);
    case SYS_gettid: return gettid();
    case SYS_getrandom: return getrandom((void*)(uintptr_t)a[0], a[1], (unsigned)a[2]);
    case SYS_sched_yield: return sched_yield();
    case SYS_exit_group: heddle_leave_program((int)a[0]);
    case SYS_clone:
    case SYS_clone3: heddle_refuse("clone");
    case SYS_execve: heddle_refuse("execve");
    case SYS_exit: heddle_refuse("an end of the kernel's thread");
    default:
      heddle_machine.left_traces = 1; /* whatever it does */
      return call(number, a);
  }
}
