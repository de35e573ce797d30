/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads: a created one is a record; its context is bound when it first runs. Numbers do not depend on which of two
 * creators was faster: a thread keeps the number that its creator's ordinal got first, in all executions.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <threads.h>

#include "runtime.h"

static struct heddle_names {
  uint32_t count; /* numbers given; main has 0 */
  uint32_t creator[HEDDLE_MOST_THREADS];
  uint32_t ordinal[HEDDLE_MOST_THREADS];
} names;

static pthread_t main_handle;

void heddle_set_up_threads(void) {
  main_handle = pthread_self();
  heddle_keep(&names, sizeof names);
  heddle_keep(heddle_threads, sizeof heddle_threads); /* the snapshot looks at those in use */
}

static uint32_t number_of(uint32_t creator, uint32_t ordinal) {
  for (uint32_t i = 1; i <= names.count; ++i)
    if (names.creator[i] == creator && names.ordinal[i] == ordinal) return i;
  const uint32_t end = heddle_is_real ? HEDDLE_DRIVER_HEAP : heddle_donor_count();
  if (names.count + 1 >= end || names.count + 1 >= HEDDLE_DRIVER_HEAP) heddle_end_here(HEDDLE_LIMIT, "too many threads");
  ++names.count;
  names.creator[names.count] = creator;
  names.ordinal[names.count] = ordinal;
  return names.count;
}

static pthread_t handle_of(uint32_t thread) {
  if (heddle_is_real) return heddle_real_handle(thread);
  return thread == 0 ? main_handle : heddle_donor_handle(thread);
}

struct heddle_thread* heddle_thread_of(pthread_t handle) {
  /* The youngest first: the system gives the handle of a thread that is gone to another one. */
  for (uint32_t i = heddle_machine.thread_count; i-- > 0;)
    if ((i == 0 || heddle_threads[i].view.creator != HEDDLE_NOBODY) && pthread_equal(handle_of(i), handle))
      return &heddle_threads[i];
  return NULL;
}

void heddle_hold(uint64_t lock) {
  if (heddle_self->view.held_count == HEDDLE_MOST_HELD) heddle_end_here(HEDDLE_LIMIT, "too many locks are held at once");
  heddle_self->held[heddle_self->view.held_count++] = lock;
}

void heddle_let_go(struct heddle_thread* thread, uint64_t lock) {
  for (uint32_t i = thread->view.held_count; i-- > 0;)
    if (thread->held[i] == lock) {
      if (i + 1 < thread->view.held_count)
        memmove(&thread->held[i], &thread->held[i + 1], (thread->view.held_count - i - 1) * sizeof *thread->held);
      --thread->view.held_count;
      return;
    }
}

int heddle_holds(const struct heddle_thread* thread, uint64_t lock) {
  for (uint32_t i = 0; i < thread->view.held_count; ++i)
    if (thread->held[i] == lock) return 1;
  return 0;
}

static int create_freely(pthread_t* handle, const pthread_attr_t* attributes, void* (*entry)(void*), void* argument) {
  HEDDLE_REAL(int, pthread_create, (pthread_t*, const pthread_attr_t*, void* (*)(void*), void*));
  return real(handle, attributes, entry, argument);
}

static int create(pthread_t* handle, const pthread_attr_t* attributes, void* (*entry)(void*), void* argument) {
  if (!heddle_is_controlled() && !heddle_is_real)
    heddle_refuse("a thread is created before main or from code that heddle does not control");
  heddle_stop_before(HEDDLE_OP_SPAWN, 0, 0);
  if (!heddle_is_controlled()) return create_freely(handle, attributes, entry, argument);
  int state = PTHREAD_CREATE_JOINABLE;
  size_t stack = 0;
  if (attributes != NULL) pthread_attr_getdetachstate(attributes, &state);
  if (attributes != NULL) pthread_attr_getstacksize(attributes, &stack);
  void* low = NULL;
  size_t given = 0; /* one that is not given ends at null */
  if (attributes != NULL && pthread_attr_getstack(attributes, &low, &given) == 0 && (uintptr_t)low + given != 0)
    heddle_note_gap("a thread is given a stack of the program's own");
  if (!heddle_is_real && stack > heddle_stack_size())
    heddle_end_here(HEDDLE_LIMIT, "a thread wants a larger stack than threads get here");
  heddle_machine.left_traces = 1;
  struct heddle_thread* const self = heddle_self;
  const uint32_t creator = (uint32_t)(self - heddle_threads), ordinal = self->children++;
  const uint32_t index = number_of(creator, ordinal);
  struct heddle_thread* const thread = &heddle_threads[index];
  memset(thread, 0, sizeof *thread);
  thread->entry = entry;
  thread->view.argument = (uint64_t)(uintptr_t)argument;
  thread->is_detached = state == PTHREAD_CREATE_DETACHED;
  thread->view.creator = creator;
  thread->view.ordinal = ordinal;
  thread->view.op = HEDDLE_OP_START;
  thread->view.key = self->view.key;
  while (heddle_machine.thread_count <= index) {
    struct heddle_thread* const gap = &heddle_threads[heddle_machine.thread_count++];
    if (gap != thread) gap->view.creator = HEDDLE_NOBODY;
  }
  heddle_add_deed(HEDDLE_DEED_SPAWN, index, 0, self->view.key, 0);
  const int status = heddle_is_real ? heddle_real_create(handle, attributes, thread) : 0;
  if (status == 0) heddle_write_late(handle, sizeof *handle);
  if (!heddle_is_real) *handle = heddle_donor_handle(index);
  return status;
}

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*entry)(void*),
                                 void* argument) {
  HEDDLE_TSAN_ENTER();
  const int status = create(handle, attributes, entry, argument);
  HEDDLE_TSAN_LEAVE();
  return status;
}

/* `failure`: what a call returns that does not wait for the thread's end; 0: it waits. */
static int join(struct heddle_thread* target, int failure, void** result) {
  if (!heddle_is_controlled() && heddle_is_real) return 0;
  if (target == NULL) return ESRCH;
  if (target == heddle_self) return EDEADLK;
  const uint64_t number = (uint64_t)(target - heddle_threads);
  if (failure == EBUSY)
    heddle_stop_before(HEDDLE_OP_TRY_JOIN, number, 0);
  else if (heddle_stop_at_point(failure != 0 ? HEDDLE_OP_TRY_JOIN : HEDDLE_OP_JOIN, number, 0, 1))
    heddle_end_cancelled();
  if (target->is_detached) {
    heddle_note_gap("join of a detached thread");
    return EINVAL;
  }
  /* A thread ends in one step with the last that it does: others may see it alive in between. */
  const int may_fail = failure == ETIMEDOUT || (failure == EBUSY && heddle_machine.weak_tries);
  if (!target->is_finished || (may_fail && heddle_choose(2) != 0)) return failure;
  if (target->is_joined) heddle_end_here(HEDDLE_CRASHED, "a thread is joined twice");
  target->is_joined = 1;
  heddle_add_deed(HEDDLE_DEED_JOIN, number, 0, heddle_self->view.key, 0);
  if (result != NULL) *result = target->result;
  return 0;
}

HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
  HEDDLE_ALSO_REAL(join(heddle_thread_of(handle), 0, result), pthread_join, (pthread_t, void**), (handle, result));
}
HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) {
  if (heddle_is_real && !heddle_is_controlled())
    HEDDLE_ALSO_REAL(0, pthread_tryjoin_np, (pthread_t, void**), (handle, result));
  /* A thread that has ended by its record is about to end really. */
  HEDDLE_ALSO_REAL(join(heddle_thread_of(handle), EBUSY, result), pthread_join, (pthread_t, void**), (handle, result));
}
static int join_in_time(pthread_t handle, void** result, const struct timespec* until) {
  heddle_look_at_time(until);
  const int status = join(heddle_thread_of(handle), until == NULL ? 0 : ETIMEDOUT, result);
  if (status == ETIMEDOUT) heddle_sleep_until(until);
  return status;
}
HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const struct timespec* until) {
  if (heddle_is_real && !heddle_is_controlled())
    HEDDLE_ALSO_REAL(0, pthread_timedjoin_np, (pthread_t, void**, const struct timespec*), (handle, result, until));
  HEDDLE_ALSO_REAL(join_in_time(handle, result, until), pthread_join, (pthread_t, void**), (handle, result));
}
HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock, const struct timespec* until) {
  if (until != NULL && !heddle_is_clock(clock)) return EINVAL;
  if (heddle_is_real && !heddle_is_controlled())
    HEDDLE_ALSO_REAL(0, pthread_clockjoin_np, (pthread_t, void**, clockid_t, const struct timespec*),
                     (handle, result, clock, until));
  return pthread_timedjoin_np(handle, result, until);
}

static int detach(struct heddle_thread* target) {
  if (!heddle_is_controlled() && heddle_is_real) return 0;
  if (target == NULL) return ESRCH;
  heddle_stop_before(HEDDLE_OP_DETACH, (uint64_t)(target - heddle_threads), 0);
  if (target->is_detached) return EINVAL;
  target->is_detached = 1;
  return 0;
}
HEDDLE_EXPORT int pthread_detach(pthread_t handle) {
  HEDDLE_ALSO_REAL(detach(heddle_thread_of(handle)), pthread_detach, (pthread_t), (handle));
}

/* C11 */
HEDDLE_EXPORT int thrd_create(thrd_t* handle, thrd_start_t entry, void* argument) {
  /* An int comes back in the same register as a pointer. */
  return create((pthread_t*)handle, NULL, (void* (*)(void*))(uintptr_t)entry, argument) == 0 ? thrd_success : thrd_error;
}

HEDDLE_EXPORT int thrd_join(thrd_t handle, int* result) {
  void* value = NULL;
  const int status = pthread_join((pthread_t)handle, &value);
  if (result != NULL && status == 0) *result = (int)(intptr_t)value;
  return status == 0 ? thrd_success : thrd_error;
}

HEDDLE_EXPORT int thrd_detach(thrd_t handle) {
  return pthread_detach((pthread_t)handle) == 0 ? thrd_success : thrd_error;
}

HEDDLE_EXPORT void thrd_exit(int result) { pthread_exit((void*)(intptr_t)result); }

HEDDLE_EXPORT int pthread_kill(pthread_t handle, int number) {
  if (heddle_is_real && !heddle_is_controlled())
    HEDDLE_ALSO_REAL(0, pthread_kill, (pthread_t, int), (handle, number));
  struct heddle_thread* const target = heddle_thread_of(handle);
  if (number == 0) return target == NULL ? ESRCH : 0;
  if (target == heddle_self) return raise(number) == 0 ? 0 : errno;
  if (target == NULL || heddle_is_real) heddle_refuse("pthread_kill of another thread");
  return heddle_send_signal(target, number);
}
HEDDLE_EXPORT int pthread_sigqueue(pthread_t handle, int number, const union sigval value) {
  if (!heddle_is_real || heddle_is_controlled()) heddle_refuse("pthread_sigqueue");
  HEDDLE_ALSO_REAL(0, pthread_sigqueue, (pthread_t, int, const union sigval), (handle, number, value));
}
