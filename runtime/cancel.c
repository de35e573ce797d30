/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cancelled threads. pthread_cancel marks a thread, which ends in its next call that is a cancellation point, and a
 * call that waits there no longer has to: all that is an operation of the canceller on the thread's mark, and a look at
 * it by the thread.
 *
 *   T1: sem_wait(&s)      T2: pthread_cancel(T1); sem_post(&s)      T1 gets the permit, or ends without it
 *
 * A mark that was there when the thread came to the call ends it; one that comes while it stands there may be late if
 * the call can return as well. What the C library does inside (printf may end a thread, too) nobody controls, and a call
 * that ends may have done its work before: so nothing is proved of a program that cancels a thread. A thread with
 * PTHREAD_CANCEL_ASYNCHRONOUS may end at any instruction; only where it stands at a cancellation point is that the same.
 */
#include <errno.h>

#include "runtime.h"

/* Without it no call is a cancellation point. */
#pragma weak __heddle1_cancels

static uint64_t mark_of(const struct heddle_thread* thread) {
  return ((uint64_t)1 << 59) | ((uint64_t)(thread - heddle_threads) << 8) | 16;
}

static int may_end(void) {
  return &__heddle1_cancels != NULL && heddle_is_controlled() && !heddle_self->in_section &&
         !heddle_self->is_uncancellable && !heddle_self->is_ending;
}

int heddle_stop_at_point(enum heddle_op op, uint64_t object, uint64_t lock, int may_be_late) {
  struct heddle_thread* const self = heddle_self;
  if (!may_end()) {
    heddle_stop_before(op, object, lock);
    return 0;
  }
  const int was_marked = self->is_cancelled;
  self->view.mark = mark_of(self);
  heddle_stop_before(op, object, lock);
  self->view.mark = 0;
  if (heddle_is_released || !self->is_cancelled) return 0;
  if (was_marked && !may_be_late) return 1;
  const int could_return = heddle_is_enabled((uint32_t)(self - heddle_threads));
  return !could_return || heddle_choose(2) == 0;
}

void heddle_end_cancelled(void) {
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, (const void*)(uintptr_t)mark_of(heddle_self), 0);
  heddle_leave_thread(PTHREAD_CANCELED);
}

void heddle_test_cancel(void) {
  if (may_end() && heddle_stop_at_point(HEDDLE_OP_LOOK, mark_of(heddle_self), 0, 0)) heddle_end_cancelled();
}

static int cancel(struct heddle_thread* target) {
  if (!heddle_is_controlled()) return 0;
  if (&__heddle1_cancels == NULL) heddle_refuse("pthread_cancel, called by code without hooks");
  if (target == NULL) return ESRCH;
  heddle_note_open_end("a cancelled thread may also end inside the C library");
  heddle_stop_for(mark_of(target), NULL, NULL);
  if (target->is_joined) heddle_note_gap("a thread is cancelled that was joined");
  if (target->is_finished) return 0;
  const int ends_at_once = target->is_asynchronous && !target->is_uncancellable && !target->is_ending;
  if (ends_at_once && target != heddle_self && target->view.mark == 0)
    heddle_refuse("pthread_cancel of a thread with PTHREAD_CANCEL_ASYNCHRONOUS");
  heddle_add_sync(HEDDLE_DEED_RELEASE, (const void*)(uintptr_t)mark_of(target), 0);
  target->is_cancelled = 1;
  if (ends_at_once && target == heddle_self) heddle_end_cancelled();
  return 0;
}

HEDDLE_EXPORT int pthread_cancel(pthread_t handle) {
  if (!heddle_is_controlled() && heddle_is_real) HEDDLE_ALSO_REAL(0, pthread_cancel, (pthread_t), (handle));
  return cancel(heddle_thread_of(handle));
}

HEDDLE_EXPORT void pthread_testcancel(void) {
  if (heddle_is_real && heddle_goes_freely()) {
    HEDDLE_REAL(void, pthread_testcancel, (void));
    real();
  }
  heddle_test_cancel();
}

/* The flag, as the thread has it, is set to `value`, one of two. */
static int change(uint8_t* flag, int value, int* before) {
  if (value != 0 && value != 1) return EINVAL;
  if (before != NULL) *before = *flag;
  *flag = (uint8_t)value;
  return 0;
}

/* Real threads have both: they are cancelled really when nobody controls them any more. */
HEDDLE_EXPORT int pthread_setcancelstate(int state, int* before) {
  _Static_assert(PTHREAD_CANCEL_ENABLE == 0 && PTHREAD_CANCEL_DISABLE == 1, "a flag");
  const int status = heddle_is_controlled() ? change(&heddle_self->is_uncancellable, state, before) : 0;
  if (heddle_is_controlled() && !heddle_is_real) return status;
  HEDDLE_ALSO_REAL(status, pthread_setcancelstate, (int, int*), (state, before));
}

HEDDLE_EXPORT int pthread_setcanceltype(int type, int* before) {
  _Static_assert(PTHREAD_CANCEL_DEFERRED == 0 && PTHREAD_CANCEL_ASYNCHRONOUS == 1, "a flag");
  const int status = heddle_is_controlled() ? change(&heddle_self->is_asynchronous, type, before) : 0;
  if (status == 0 && type == PTHREAD_CANCEL_ASYNCHRONOUS) heddle_test_cancel();
  if (heddle_is_controlled() && !heddle_is_real) return status;
  HEDDLE_ALSO_REAL(status, pthread_setcanceltype, (int, int*), (type, before));
}
