/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Conditions, semaphores, barriers and once flags.
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

void heddle_wait(uint64_t object, uint64_t lock, int is_timed) {
  struct heddle_thread* const self = heddle_self;
  self->view.was_signalled = 0;
  self->view.is_timed = (uint8_t)is_timed;
  heddle_stop_before(HEDDLE_OP_WAKE, object, lock);
  self->view.woke_alone = !self->view.was_signalled && !is_timed;
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

/* Gives the lock away, waits, and takes it back as often as it was held. */
/* `until`: null for one without a time. */
static int wait_for(const void* condition, pthread_mutex_t* mutex, const struct timespec* until) {
  const int is_timed = until != NULL;
  struct heddle_thread* const self = heddle_self;
  if (self == NULL) heddle_refuse("a wait before main");
  if (self->in_section) heddle_refuse("a wait inside an atomic section");
  heddle_use(condition, sizeof(pthread_cond_t));
  heddle_use(mutex, sizeof *mutex);
  heddle_stop_before(HEDDLE_OP_WAIT, name_of(condition), name_of(mutex));
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
  }
  heddle_wait(name_of(condition), name_of(mutex), is_timed);
  struct heddle_object* const again = heddle_object_at(mutex);
  again->owner = self_number();
  again->count = self->wait_count;
  heddle_hold(name_of(mutex));
  if (self->view.was_signalled) heddle_add_sync(HEDDLE_DEED_ACQUIRE, condition, 0);
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, mutex, HEDDLE_IS_LOCK);
  if (!is_timed || self->view.was_signalled) return 0;
  heddle_sleep_until(until);
  return ETIMEDOUT;
}

static int notify(const void* condition, int all) {
  if (heddle_self == NULL) return 0;
  heddle_use(condition, sizeof(pthread_cond_t));
  heddle_stop_before(all ? HEDDLE_OP_BROADCAST : HEDDLE_OP_SIGNAL, name_of(condition), 0);
  heddle_add_sync(HEDDLE_DEED_RELEASE, condition, 0);
  heddle_wake(name_of(condition), all ? HEDDLE_MOST_THREADS : 1);
  return 0;
}

static int reset(const void* object, size_t size) {
  if (heddle_self == NULL) return 0;
  heddle_use(object, size);
  heddle_end_memory(object, size, heddle_self->view.key);
  heddle_add_sync(HEDDLE_DEED_RESET, object, 0);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  (void)attributes;
  *condition = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
  return reset(condition, sizeof *condition);
}
HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) { return reset(condition, sizeof *condition); }
HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_for(condition, mutex, NULL);
}
HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         const struct timespec* until) {
  return wait_for(condition, mutex, until);
}
HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                         const struct timespec* until) {
  (void)clock;
  return wait_for(condition, mutex, until);
}
HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* condition) { return notify(condition, 0); }
HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) { return notify(condition, 1); }

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
  notify(condition, 0);
  return thrd_success;
}
HEDDLE_EXPORT int cnd_broadcast(cnd_t* condition) {
  notify(condition, 1);
  return thrd_success;
}

HEDDLE_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) {
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  if (shared) heddle_note_gap("a semaphore is shared between processes");
  heddle_reset_object(semaphore, sizeof *semaphore, value, 0);
  memcpy(semaphore, &value, sizeof value);
  return 0;
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
static void set_value(struct heddle_object* row, sem_t* semaphore, uint32_t value) {
  row->count = value;
  memcpy(semaphore, &value, sizeof value);
}
HEDDLE_EXPORT int sem_destroy(sem_t* semaphore) { return reset(semaphore, sizeof *semaphore); }

/* Semaphores with a name: of this program alone, so nothing is proved of it. */
enum { most_named = 64 };
static struct named {
  char* name; /* null: it has lost it */
  sem_t* semaphore;
} named[most_named];

HEDDLE_EXPORT sem_t* sem_open(const char* name, int flags, ...) {
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
  va_list arguments;
  va_start(arguments, flags);
  (void)va_arg(arguments, mode_t);
  const unsigned value = va_arg(arguments, unsigned);
  va_end(arguments);
  named[i] = (struct named){strdup(name), malloc(sizeof(sem_t))};
  sem_init(named[i].semaphore, 0, value);
  return named[i].semaphore;
}
HEDDLE_EXPORT int sem_close(sem_t* semaphore) {
  (void)semaphore;
  return 0;
}
HEDDLE_EXPORT int sem_unlink(const char* name) {
  for (unsigned i = 0; i < most_named; ++i) {
    if (named[i].name == NULL || strcmp(named[i].name, name) != 0) continue;
    named[i].name = NULL;
    return 0;
  }
  errno = ENOENT;
  return -1;
}

static int take_permit(sem_t* semaphore, int error) {
  if (heddle_self == NULL) heddle_refuse("sem_wait before main");
  semaphore_at(semaphore);
  heddle_stop_before(error == 0 ? HEDDLE_OP_SEMAPHORE_WAIT : HEDDLE_OP_SEMAPHORE_TRY, name_of(semaphore), 0);
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
HEDDLE_EXPORT int sem_wait(sem_t* semaphore) { return take_permit(semaphore, 0); }
HEDDLE_EXPORT int sem_trywait(sem_t* semaphore) { return take_permit(semaphore, EAGAIN); }
HEDDLE_EXPORT int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict until) {
  const int status = take_permit(semaphore, ETIMEDOUT);
  if (status != 0) heddle_sleep_until(until);
  return status;
}
HEDDLE_EXPORT int sem_clockwait(sem_t* restrict semaphore, clockid_t clock, const struct timespec* restrict until) {
  (void)clock;
  return sem_timedwait(semaphore, until);
}
HEDDLE_EXPORT int sem_post(sem_t* semaphore) {
  if (heddle_self != NULL) heddle_stop_before(HEDDLE_OP_SEMAPHORE_POST, name_of(semaphore), 0);
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
HEDDLE_EXPORT int sem_getvalue(sem_t* restrict semaphore, int* restrict value) {
  if (heddle_self != NULL) heddle_stop_before(HEDDLE_OP_SEMAPHORE_TRY, name_of(semaphore), 0);
  *value = (int)semaphore_at(semaphore)->count;
  heddle_add_sync(HEDDLE_DEED_USES, semaphore, 0);
  return 0;
}

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                       unsigned count) {
  (void)attributes;
  if (count == 0) return EINVAL;
  heddle_reset_object(barrier, sizeof *barrier, 0, count);
  return 0;
}
HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) { return reset(barrier, sizeof *barrier); }
HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (heddle_self == NULL) heddle_refuse("pthread_barrier_wait before main");
  heddle_stop_before(HEDDLE_OP_BARRIER_ARRIVE, name_of(barrier), 0);
  struct heddle_object* const row = heddle_object_at(barrier);
  if (row->limit == 0) heddle_end_here(HEDDLE_CRASHED, "a barrier that was not initialised is waited for");
  heddle_add_sync(HEDDLE_DEED_RELEASE, barrier, 0);
  if (++row->count >= row->limit) {
    row->count = 0;
    ++row->generation;
    heddle_add_sync(HEDDLE_DEED_ACQUIRE, barrier, 0);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  heddle_self->wait_count = row->generation;
  heddle_stop_before(HEDDLE_OP_BARRIER_LEAVE, name_of(barrier), 0);
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, barrier, 0);
  return 0;
}

enum { once_new = 0, once_running = 1, once_done = 2 };

/* True: the caller has to run what is to be run once. */
static int begin_once(const void* flag, size_t size) {
  heddle_use(flag, size);
  heddle_stop_before(HEDDLE_OP_ONCE, name_of(flag), 0);
  struct heddle_object* const row = heddle_object_at(flag);
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, flag, 0);
  if (row->count == once_done) return 0;
  row->count = once_running;
  row->owner = self_number();
  return 1;
}

static void end_once(const void* flag, int is_done) {
  struct heddle_object* const row = heddle_object_at(flag);
  row->count = is_done ? once_done : once_new;
  row->owner = HEDDLE_NOBODY;
  heddle_add_sync(HEDDLE_DEED_RELEASE, flag, 0);
}

static void abandon_once(const void** begun) {
  if (*begun != NULL) end_once(*begun, 0);
}

HEDDLE_EXPORT int pthread_once(pthread_once_t* flag, void (*function)(void)) {
  if (heddle_self == NULL) {
    static int (*real)(pthread_once_t*, void (*)(void));
    if (real == NULL) real = (int (*)(pthread_once_t*, void (*)(void)))(uintptr_t)heddle_real("pthread_once");
    return real(flag, function);
  }
  if (*flag == 2 && heddle_find_object(name_of(flag)) == NULL) return 0; /* glibc's mark: done before main */
  if (!begin_once(flag, sizeof *flag)) return 0;
  __attribute__((cleanup(abandon_once))) const void* begun = flag; /* an exception leaves it to the next */
  function();
  begun = NULL;
  end_once(flag, 1); /* in one with what the function did last */
  return 0;
}
HEDDLE_EXPORT void call_once(once_flag* flag, void (*function)(void)) {
  pthread_once((pthread_once_t*)flag, function);
}

/* Static variables of functions in C++; the first byte tells compiled code that all is done. Who waits for whom is not
 * kept there: that byte is memory which the program reads. */
static const void* guard_object(const char* guard) { return (const void*)(name_of(guard) | (uint64_t)1 << 60); }

HEDDLE_EXPORT int __cxa_guard_acquire(char* guard) {
  if (*guard != 0) return 0;
  if (heddle_self == NULL) return 1;
  return begin_once(guard_object(guard), 0);
}
HEDDLE_EXPORT void __cxa_guard_release(char* guard) {
  if (heddle_self != NULL) {
    heddle_stop_before(HEDDLE_OP_ONCE_END, (uint64_t)(uintptr_t)guard_object(guard), 0);
    end_once(guard_object(guard), 1);
    heddle_drop_atomics(guard, 1);
    heddle_add_deed(HEDDLE_DEED_ATOMIC_WRITE, name_of(guard), 1, heddle_self->view.key, HEDDLE_RELEASES | HEDDLE_REPLACES);
  }
  *guard = 1;
}
HEDDLE_EXPORT void __cxa_guard_abort(char* guard) {
  if (heddle_self == NULL) return;
  heddle_stop_before(HEDDLE_OP_ONCE_END, (uint64_t)(uintptr_t)guard_object(guard), 0);
  end_once(guard_object(guard), 0);
}
