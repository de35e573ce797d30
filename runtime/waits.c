/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Conditions, semaphores, barriers and once flags.
 */
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

#include "runtime.h"

static uint64_t name_of(const void* object) { return (uint64_t)(uintptr_t)object; }
static uint32_t self_number(void) { return (uint32_t)(heddle_self - heddle_threads); }

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
  self->view.was_signalled = 0;
  self->view.is_timed = (uint8_t)is_timed;
  heddle_stop_before(HEDDLE_OP_WAKE, name_of(condition), name_of(mutex));
  if (heddle_is_real) lock_really(mutex, self->wait_count);
  if (heddle_is_released) return 0;
  self->view.woke_alone = !self->view.was_signalled && !is_timed;
  struct heddle_object* const again = heddle_object_at(mutex);
  again->owner = self_number();
  again->count = self->wait_count;
  heddle_hold(name_of(mutex));
  if (self->view.was_signalled) heddle_add_sync(HEDDLE_DEED_ACQUIRE, condition, 0);
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, mutex, HEDDLE_IS_LOCK);
  return is_timed && !self->view.was_signalled ? ETIMEDOUT : 0;
}

static int notify(const void* condition, int all) {
  if (!heddle_is_controlled()) return 0;
  heddle_use(condition, sizeof(pthread_cond_t));
  heddle_stop_before(all ? HEDDLE_OP_BROADCAST : HEDDLE_OP_SIGNAL, name_of(condition), 0);
  heddle_add_sync(HEDDLE_DEED_RELEASE, condition, 0);
  uint32_t waiters[HEDDLE_MOST_THREADS], count = 0;
  for (uint32_t i = 0; i < heddle_machine.thread_count; ++i) {
    const struct heddle_view* const view = &heddle_threads[i].view;
    if (view->op == HEDDLE_OP_WAKE && view->object == name_of(condition) && !view->was_signalled) waiters[count++] = i;
  }
  if (!all && count > 1) {
    waiters[0] = waiters[heddle_choose(count)];
    count = 1;
  }
  for (uint32_t i = 0; i < count; ++i) heddle_threads[waiters[i]].view.was_signalled = 1;
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
  HEDDLE_ALSO_REAL(0, sem_init, (sem_t*, int, unsigned), (semaphore, shared, value));
}
HEDDLE_EXPORT int sem_destroy(sem_t* semaphore) {
  HEDDLE_ALSO_REAL(reset(semaphore, sizeof *semaphore), sem_destroy, (sem_t*), (semaphore));
}

static int take_permit(sem_t* semaphore, int error) {
  if (heddle_is_released) return 0;
  if (!heddle_is_controlled()) heddle_refuse("sem_wait before main");
  heddle_stop_before(error == 0 ? HEDDLE_OP_SEMAPHORE_WAIT : HEDDLE_OP_SEMAPHORE_TRY, name_of(semaphore), 0);
  struct heddle_object* const row = heddle_object_at(semaphore);
  const int may_fail = error == ETIMEDOUT || (error != 0 && heddle_machine.weak_tries);
  if (row->count == 0 || (may_fail && heddle_choose(2) != 0)) {
    heddle_add_sync(HEDDLE_DEED_USES, semaphore, 0);
    errno = error;
    return -1;
  }
  --row->count;
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, semaphore, 0);
  return 0;
}
HEDDLE_EXPORT int sem_wait(sem_t* semaphore) {
  HEDDLE_ALSO_REAL(take_permit(semaphore, 0), sem_wait, (sem_t*), (semaphore));
}
HEDDLE_EXPORT int sem_trywait(sem_t* semaphore) {
  HEDDLE_ALSO_REAL(take_permit(semaphore, EAGAIN), sem_trywait, (sem_t*), (semaphore));
}
HEDDLE_EXPORT int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict until) {
  HEDDLE_ALSO_REAL(take_permit(semaphore, ETIMEDOUT), sem_timedwait, (sem_t*, const struct timespec*),
                   (semaphore, until));
}
HEDDLE_EXPORT int sem_clockwait(sem_t* restrict semaphore, clockid_t clock, const struct timespec* restrict until) {
  HEDDLE_ALSO_REAL(take_permit(semaphore, ETIMEDOUT), sem_clockwait, (sem_t*, clockid_t, const struct timespec*),
                   (semaphore, clock, until));
}
static int give_permit(sem_t* semaphore) {
  if (heddle_is_released) return 0;
  if (heddle_is_controlled()) heddle_stop_before(HEDDLE_OP_SEMAPHORE_POST, name_of(semaphore), 0);
  struct heddle_object* const row = heddle_object_at(semaphore);
  if (row->count == SEM_VALUE_MAX) {
    heddle_add_sync(HEDDLE_DEED_USES, semaphore, 0);
    errno = EOVERFLOW;
    return -1;
  }
  ++row->count;
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
  *value = (int)heddle_object_at(semaphore)->count;
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

/* A thread whose turn it is cannot wait for the others: ThreadSanitizer is told what the barrier orders. */
extern void __tsan_acquire(void* address) __attribute__((weak));
extern void __tsan_release(void* address) __attribute__((weak));
static void tell_release(void* object) {
  if (__tsan_release != NULL) __tsan_release(object);
}
static void tell_acquire(void* object) {
  if (__tsan_acquire != NULL) __tsan_acquire(object);
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
  tell_release(barrier);
  struct heddle_object* const row = heddle_object_at(barrier);
  if (row->limit == 0) heddle_end_here(HEDDLE_CRASHED, "a barrier that was not initialised is waited for");
  heddle_add_sync(HEDDLE_DEED_RELEASE, barrier, 0);
  if (++row->count >= row->limit) {
    row->count = 0;
    ++row->generation;
    heddle_add_sync(HEDDLE_DEED_ACQUIRE, barrier, 0);
    tell_acquire(barrier);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  struct heddle_thread* const self = heddle_self;
  self->wait_count = row->generation;
  heddle_stop_before(HEDDLE_OP_BARRIER_LEAVE, name_of(barrier), 0);
  if (heddle_is_released && row->generation == self->wait_count) return wait_at_barrier_freely(barrier);
  tell_acquire(barrier);
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

static int run_once_really(pthread_once_t* flag, void (*function)(void)) {
  HEDDLE_REAL(int, pthread_once, (pthread_once_t*, void (*)(void)));
  return real(flag, function);
}

HEDDLE_EXPORT int pthread_once(pthread_once_t* flag, void (*function)(void)) {
  if (!heddle_is_controlled()) {
    if (heddle_is_real) heddle_real_passed();
    return run_once_really(flag, function);
  }
  if (*flag == 2 && heddle_find_object(name_of(flag)) == NULL) return 0; /* glibc's mark: done before main */
  const int is_new = begin_once(flag, sizeof *flag);
  if (heddle_is_real) run_once_really(flag, function);
  else if (is_new) function();
  if (is_new && heddle_is_controlled()) end_once(flag, 1); /* in one with what the function did last */
  return 0;
}
HEDDLE_EXPORT void call_once(once_flag* flag, void (*function)(void)) {
  pthread_once((pthread_once_t*)flag, function);
}

/* Static variables of functions in C++; the first byte tells compiled code that all is done. The C++ library's own
   functions take part where there are threads of the system, and there is such a library outside of the program. Locks
   that they take are their own business. ThreadSanitizer's cannot be called: they have no other name, so that a program
   linked with it gets these by --defsym (src/project/native/tsan_library.cpp). */
static int call_guard(const char* name, char* guard, int otherwise) {
  if (__tsan_acquire != NULL) return otherwise;
  int (*const real)(char*) = (int (*)(char*))(uintptr_t)heddle_find_real(name);
  if (real == NULL) return otherwise;
  struct heddle_thread* const self = heddle_self;
  const int was_controlled = heddle_is_controlled();
  if (was_controlled) heddle_self = NULL;
  const int result = real(guard);
  if (was_controlled) heddle_self = self;
  return result;
}

HEDDLE_HOOK int heddle_guard_acquire(char* guard) {
  if (*guard != 0) return 0;
  const int is_new = heddle_is_controlled() ? begin_once(guard, 8) : 1;
  if (!heddle_is_real) return is_new;
  if (!heddle_is_controlled()) heddle_real_passed();
  tell_acquire(guard);
  return call_guard("__cxa_guard_acquire", guard, is_new);
}
HEDDLE_HOOK void heddle_guard_release(char* guard) {
  if (heddle_is_controlled()) {
    heddle_stop_before(HEDDLE_OP_ONCE_END, name_of(guard), 0);
    end_once(guard, 1);
    heddle_add_deed(HEDDLE_DEED_ATOMIC_WRITE, name_of(guard), 1, heddle_self->view.key, HEDDLE_RELEASES | HEDDLE_REPLACES);
  }
  tell_release(guard);
  if (heddle_is_real) call_guard("__cxa_guard_release", guard, 0);
  *guard = 1;
}
HEDDLE_HOOK void heddle_guard_abort(char* guard) {
  if (heddle_is_controlled()) {
    heddle_stop_before(HEDDLE_OP_ONCE_END, name_of(guard), 0);
    end_once(guard, 0);
  }
  if (heddle_is_real) call_guard("__cxa_guard_abort", guard, 0);
}
HEDDLE_EXPORT int __cxa_guard_acquire(char* guard) { return heddle_guard_acquire(guard); }
HEDDLE_EXPORT void __cxa_guard_release(char* guard) { heddle_guard_release(guard); }
HEDDLE_EXPORT void __cxa_guard_abort(char* guard) { heddle_guard_abort(guard); }
