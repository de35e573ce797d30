/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Conditions, semaphores and barriers.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#include "runtime.h"

static uint64_t name_of(const void* object) { return (uint64_t)(uintptr_t)object; }
static uint32_t self_number(void) { return (uint32_t)(heddle_self - heddle_threads); }

int heddle_wait(uint64_t object, uint64_t lock, int is_timed, int is_point) {
  struct heddle_thread* const self = heddle_self;
  self->view.was_signalled = 0;
  self->view.is_timed = (uint8_t)is_timed;
  int is_cancelled = 0;
  if (is_point)
    is_cancelled = heddle_stop_at_point(HEDDLE_OP_WAKE, object, lock, 1);
  else
    heddle_stop_before(HEDDLE_OP_WAKE, object, lock);
  self->view.woke_alone = !self->view.was_signalled && !is_timed && !is_cancelled;
  return is_cancelled;
}

uint32_t heddle_wake(uint64_t object, uint32_t most) {
  uint32_t waiters[HEDDLE_MOST_THREADS], count = 0, woken = 0;
  for (uint32_t i = 0; i < heddle_machine.thread_count; ++i) {
    const struct heddle_view* const view = &heddle_threads[i].view;
    if (view->op == HEDDLE_OP_WAKE && view->object == object && !view->was_signalled) waiters[count++] = i;
  }
  for (; woken < most && count > 0; ++woken) {
    const uint32_t one = count > most - woken ? heddle_choose(count) : count - 1;
    heddle_threads[waiters[one]].view.was_signalled = 1;
    waiters[one] = waiters[--count];
  }
  return woken;
}

/* With threads of the system: gives the lock away or takes it back, so often as it is held. */
static void unlock_really(pthread_mutex_t* mutex, uint32_t times) {
  HEDDLE_REAL(int, pthread_mutex_unlock, (pthread_mutex_t*));
  for (uint32_t i = 0; heddle_is_real && i < times; ++i) real(mutex);
}
static void lock_really(pthread_mutex_t* mutex, uint32_t times) {
  HEDDLE_REAL(int, pthread_mutex_lock, (pthread_mutex_t*));
  for (uint32_t i = 0; heddle_is_real && i < times; ++i) real(mutex);
}

/* Without control. */
static int wait_freely(const void* condition, pthread_mutex_t* mutex, const struct timespec* until) {
  pthread_cond_t* const what = (pthread_cond_t*)(uintptr_t)condition;
  heddle_real_passed();
  if (until == NULL) {
    HEDDLE_REAL(int, pthread_cond_wait, (pthread_cond_t*, pthread_mutex_t*));
    return real(what, mutex);
  }
  HEDDLE_REAL(int, pthread_cond_timedwait, (pthread_cond_t*, pthread_mutex_t*, const struct timespec*));
  return real(what, mutex, until);
}

/* Gives the lock away, waits, and takes it back as often as it was held. Threads of the system wait for their turn, not
   for the condition: a wait may end whenever it likes. */
static int wait_for(const void* condition, pthread_mutex_t* mutex, const struct timespec* until) {
  struct heddle_thread* const self = heddle_self;
  const int is_timed = until != NULL;
  if (heddle_is_real && !heddle_is_controlled()) return wait_freely(condition, mutex, until);
  if (self == NULL) heddle_refuse("a wait before main");
  heddle_look_at_time(until);
  if (self->in_section) heddle_refuse("a wait inside an atomic section");
  heddle_use(condition, sizeof(pthread_cond_t));
  heddle_use(mutex, sizeof *mutex);
  heddle_stop_before(HEDDLE_OP_WAIT, name_of(condition), name_of(mutex));
  if (heddle_is_released) return wait_freely(condition, mutex, until);
  const int type = heddle_mutex_type(mutex);
  struct heddle_object* const row = heddle_object_at(mutex);
  const int is_held = row->owner == self_number();
  if (!is_held) heddle_note_gap("a wait without the lock");
  if (!is_held && type != 0) return EPERM;
  heddle_add_sync(HEDDLE_DEED_USES, condition, 0);
  self->wait_count = is_held ? row->count : 1;
  if (is_held) {
    row->count = 1;
    heddle_release(mutex, type);
    if (heddle_is_real) unlock_really(mutex, self->wait_count);
  }
  __heddle1_standing = self->standing; /* in the same call */
  const int is_cancelled = heddle_wait(name_of(condition), name_of(mutex), is_timed, 1);
  if (heddle_is_real) lock_really(mutex, self->wait_count);
  if (heddle_is_released) return 0;
  struct heddle_object* const again = heddle_object_at(mutex);
  again->owner = self_number();
  again->count = self->wait_count;
  heddle_hold(name_of(mutex));
  if (self->view.was_signalled) heddle_add_sync(HEDDLE_DEED_ACQUIRE, condition, 0);
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, mutex, HEDDLE_IS_LOCK);
  if (is_cancelled) heddle_end_cancelled();
  if (!is_timed || self->view.was_signalled) return 0;
  heddle_sleep_until(until);
  return ETIMEDOUT;
}

static int notify(const void* condition, int all) {
  if (!heddle_is_controlled()) return 0;
  heddle_use(condition, sizeof(pthread_cond_t));
  heddle_stop_before(all ? HEDDLE_OP_BROADCAST : HEDDLE_OP_SIGNAL, name_of(condition), 0);
  heddle_add_sync(HEDDLE_DEED_RELEASE, condition, 0);
  heddle_wake(name_of(condition), all ? HEDDLE_MOST_THREADS : 1);
  return 0;
}

static int reset(const void* object, size_t size) {
  if (!heddle_is_controlled()) return 0;
  heddle_use(object, size);
  heddle_end_memory(object, size, heddle_self->view.key);
  heddle_add_sync(HEDDLE_DEED_RESET, object, 0);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  reset(condition, sizeof *condition);
  *condition = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
  HEDDLE_ALSO_REAL(0, pthread_cond_init, (pthread_cond_t*, const pthread_condattr_t*), (condition, attributes));
}
HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) {
  HEDDLE_ALSO_REAL(reset(condition, sizeof *condition), pthread_cond_destroy, (pthread_cond_t*), (condition));
}
HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_for(condition, mutex, NULL);
}
HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         const struct timespec* until) {
  return wait_for(condition, mutex, until);
}
HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                         const struct timespec* until) {
  if (!heddle_is_clock(clock)) return EINVAL;
  if (heddle_is_real && !heddle_is_controlled()) {
    HEDDLE_REAL(int, pthread_cond_clockwait, (pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*));
    heddle_real_passed();
    return real(condition, mutex, clock, until);
  }
  return wait_for(condition, mutex, until);
}
HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* condition) {
  HEDDLE_ALSO_REAL(notify(condition, 0), pthread_cond_signal, (pthread_cond_t*), (condition));
}
HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) {
  HEDDLE_ALSO_REAL(notify(condition, 1), pthread_cond_broadcast, (pthread_cond_t*), (condition));
}

/* C11 */
HEDDLE_EXPORT int cnd_init(cnd_t* condition) {
  pthread_cond_init((pthread_cond_t*)condition, NULL);
  return thrd_success;
}
HEDDLE_EXPORT void cnd_destroy(cnd_t* condition) { reset(condition, sizeof *condition); }
HEDDLE_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return wait_for(condition, (pthread_mutex_t*)mutex, NULL) == 0 ? thrd_success : thrd_error;
}
HEDDLE_EXPORT int cnd_timedwait(cnd_t* restrict condition, mtx_t* restrict mutex, const struct timespec* restrict until) {
  const int status = wait_for(condition, (pthread_mutex_t*)mutex, until);
  return status == 0 ? thrd_success : status == ETIMEDOUT ? thrd_timedout : thrd_error;
}
HEDDLE_EXPORT int cnd_signal(cnd_t* condition) {
  pthread_cond_signal((pthread_cond_t*)condition);
  return thrd_success;
}
HEDDLE_EXPORT int cnd_broadcast(cnd_t* condition) {
  pthread_cond_broadcast((pthread_cond_t*)condition);
  return thrd_success;
}

HEDDLE_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) {
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  if (shared) heddle_note_gap("a semaphore is shared between processes");
  if (!heddle_is_released) heddle_reset_object(semaphore, sizeof *semaphore, value, 0);
  if (!heddle_is_real) memcpy(semaphore, &value, sizeof value);
  HEDDLE_ALSO_REAL(0, sem_init, (sem_t*, int, unsigned), (semaphore, shared, value));
}

/* Its value lies in its memory, too, where glibc has it: a program may write it there, or never set it up. */
static struct heddle_object* semaphore_at(sem_t* semaphore) {
  uint32_t value;
  memcpy(&value, semaphore, sizeof value);
  struct heddle_object* row = heddle_find_object(name_of(semaphore));
  if (row != NULL && row->count != value) heddle_note_gap("the value of a semaphore is written as plain memory");
  row = heddle_use(semaphore, sizeof *semaphore);
  row->count = value;
  return row;
}
/* With threads of the system, the real function writes it there. */
static void set_value(struct heddle_object* row, sem_t* semaphore, uint32_t value) {
  row->count = value;
  if (!heddle_is_real) memcpy(semaphore, &value, sizeof value);
}
HEDDLE_EXPORT int sem_destroy(sem_t* semaphore) {
  HEDDLE_ALSO_REAL(reset(semaphore, sizeof *semaphore), sem_destroy, (sem_t*), (semaphore));
}

/* Semaphores with a name: of this program alone, so nothing is proved of it. */
enum { most_named = 64 };
static struct named {
  char* name; /* null: it has lost it */
  sem_t* semaphore;
} named[most_named];

HEDDLE_EXPORT sem_t* sem_open(const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  const unsigned value = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  if (heddle_is_plain_run()) {
    HEDDLE_REAL(sem_t*, sem_open, (const char*, int, ...));
    return real(name, flags, mode, value);
  }
  heddle_note_open_end("other processes may use a semaphore with a name");
  unsigned i = 0;
  for (; i < most_named && named[i].semaphore != NULL; ++i)
    if (named[i].name != NULL && strcmp(named[i].name, name) == 0) break;
  if (i == most_named) heddle_end_here(HEDDLE_LIMIT, "too many semaphores with names");
  const int is_there = named[i].semaphore != NULL;
  if (is_there ? (flags & O_EXCL) != 0 : (flags & O_CREAT) == 0) {
    errno = is_there ? EEXIST : ENOENT;
    return SEM_FAILED;
  }
  if (is_there) return named[i].semaphore;
  named[i] = (struct named){strdup(name), malloc(sizeof(sem_t))};
  sem_init(named[i].semaphore, 0, value);
  return named[i].semaphore;
}
HEDDLE_EXPORT int sem_close(sem_t* semaphore) {
  if (heddle_is_plain_run()) HEDDLE_ALSO_REAL(0, sem_close, (sem_t*), (semaphore));
  return 0;
}
HEDDLE_EXPORT int sem_unlink(const char* name) {
  if (heddle_is_plain_run()) HEDDLE_ALSO_REAL(0, sem_unlink, (const char*), (name));
  for (unsigned i = 0; i < most_named; ++i) {
    if (named[i].name == NULL || strcmp(named[i].name, name) != 0) continue;
    named[i].name = NULL;
    return 0;
  }
  errno = ENOENT;
  return -1;
}

static int take_permit(sem_t* semaphore, int error) {
  if (heddle_is_released) return 0;
  if (!heddle_is_controlled()) heddle_refuse("sem_wait before main");
  semaphore_at(semaphore);
  if (error == EAGAIN)
    heddle_stop_before(HEDDLE_OP_SEMAPHORE_TRY, name_of(semaphore), 0);
  else if (heddle_stop_at_point(error == 0 ? HEDDLE_OP_SEMAPHORE_WAIT : HEDDLE_OP_SEMAPHORE_TRY, name_of(semaphore), 0, 0))
    heddle_end_cancelled();
  struct heddle_object* const row = semaphore_at(semaphore);
  const int may_fail = error == ETIMEDOUT || (error != 0 && heddle_machine.weak_tries);
  if (row->count == 0 || (may_fail && heddle_choose(2) != 0)) {
    heddle_add_sync(HEDDLE_DEED_USES, semaphore, 0);
    errno = error;
    return -1;
  }
  set_value(row, semaphore, row->count - 1);
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, semaphore, 0);
  return 0;
}
HEDDLE_EXPORT int sem_wait(sem_t* semaphore) {
  HEDDLE_ALSO_REAL(take_permit(semaphore, 0), sem_wait, (sem_t*), (semaphore));
}
HEDDLE_EXPORT int sem_trywait(sem_t* semaphore) {
  HEDDLE_ALSO_REAL(take_permit(semaphore, EAGAIN), sem_trywait, (sem_t*), (semaphore));
}
static int take_permit_in_time(sem_t* semaphore, const struct timespec* until) {
  heddle_look_at_time(until);
  const int status = take_permit(semaphore, ETIMEDOUT);
  if (status != 0 && heddle_is_controlled()) heddle_sleep_until(until);
  return status;
}
HEDDLE_EXPORT int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict until) {
  HEDDLE_ALSO_REAL(take_permit_in_time(semaphore, until), sem_timedwait, (sem_t*, const struct timespec*),
                   (semaphore, until));
}
HEDDLE_EXPORT int sem_clockwait(sem_t* restrict semaphore, clockid_t clock, const struct timespec* restrict until) {
  if (!heddle_is_clock(clock)) {
    errno = EINVAL;
    return -1;
  }
  HEDDLE_ALSO_REAL(take_permit_in_time(semaphore, until), sem_clockwait, (sem_t*, clockid_t, const struct timespec*),
                   (semaphore, clock, until));
}
static int give_permit(sem_t* semaphore) {
  if (heddle_is_released) return 0;
  if (heddle_is_controlled()) heddle_stop_before(HEDDLE_OP_SEMAPHORE_POST, name_of(semaphore), 0);
  struct heddle_object* const row = semaphore_at(semaphore);
  if (row->count == SEM_VALUE_MAX) {
    heddle_add_sync(HEDDLE_DEED_USES, semaphore, 0);
    errno = EOVERFLOW;
    return -1;
  }
  set_value(row, semaphore, row->count + 1);
  heddle_add_sync(HEDDLE_DEED_RELEASE, semaphore, 0);
  return 0;
}
HEDDLE_EXPORT int sem_post(sem_t* semaphore) {
  HEDDLE_ALSO_REAL(give_permit(semaphore), sem_post, (sem_t*), (semaphore));
}
HEDDLE_EXPORT int sem_getvalue(sem_t* restrict semaphore, int* restrict value) {
  if (heddle_is_released) {
    HEDDLE_REAL(int, sem_getvalue, (sem_t*, int*));
    return real(semaphore, value);
  }
  if (heddle_is_controlled()) heddle_stop_before(HEDDLE_OP_SEMAPHORE_TRY, name_of(semaphore), 0);
  *value = (int)semaphore_at(semaphore)->count;
  heddle_add_sync(HEDDLE_DEED_USES, semaphore, 0);
  return 0;
}

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                       unsigned count) {
  if (count == 0) return EINVAL;
  if (!heddle_is_released) heddle_reset_object(barrier, sizeof *barrier, 0, count);
  HEDDLE_ALSO_REAL(0, pthread_barrier_init, (pthread_barrier_t*, const pthread_barrierattr_t*, unsigned),
                   (barrier, attributes, count));
}
HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  HEDDLE_ALSO_REAL(reset(barrier, sizeof *barrier), pthread_barrier_destroy, (pthread_barrier_t*), (barrier));
}

static int wait_at_barrier_freely(pthread_barrier_t* barrier) {
  heddle_real_passed();
  HEDDLE_REAL(int, pthread_barrier_wait, (pthread_barrier_t*));
  return real(barrier);
}

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (!heddle_is_controlled() && !heddle_is_real) heddle_refuse("pthread_barrier_wait before main");
  heddle_stop_before(HEDDLE_OP_BARRIER_ARRIVE, name_of(barrier), 0);
  if (heddle_is_released) return wait_at_barrier_freely(barrier);
  heddle_tell_release(barrier);
  struct heddle_object* const row = heddle_object_at(barrier);
  if (row->limit == 0) heddle_end_here(HEDDLE_CRASHED, "a barrier that was not initialised is waited for");
  heddle_add_sync(HEDDLE_DEED_RELEASE, barrier, 0);
  if (++row->count >= row->limit) {
    row->count = 0;
    ++row->generation;
    heddle_add_sync(HEDDLE_DEED_ACQUIRE, barrier, 0);
    heddle_tell_acquire(barrier);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  struct heddle_thread* const self = heddle_self;
  self->wait_count = row->generation;
  heddle_stop_before(HEDDLE_OP_BARRIER_LEAVE, name_of(barrier), 0);
  if (heddle_is_released && row->generation == self->wait_count) return wait_at_barrier_freely(barrier);
  heddle_tell_acquire(barrier);
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, barrier, 0);
  return 0;
}
