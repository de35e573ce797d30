/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Mutexes, read-write locks and spinlocks, with the errors that POSIX and glibc give. A misuse that real programs
 * survive leaves a gap and goes on as glibc does.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

#include "runtime.h"

enum { normal = 0, recursive = 1, error_checking = 2, kind_mask = 3, robust_bit = 16 };

/* glibc keeps the kind where a static initialiser writes it, too. */
int heddle_mutex_type(const pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind;
  if (kind & robust_bit) heddle_refuse("robust mutexes");
  return (kind & kind_mask) == recursive ? recursive : (kind & kind_mask) == error_checking ? error_checking : normal;
}

static uint32_t self_number(void) { return (uint32_t)(heddle_self - heddle_threads); }
static uint64_t name_of(const void* lock) { return (uint64_t)(uintptr_t)lock; }

int heddle_acquire(const void* lock, int is_shared, int is_try, int type) {
  struct heddle_object* const row = heddle_object_at(lock);
  if (is_shared) {
    if (row->owner != HEDDLE_NOBODY) return EBUSY;
    ++row->readers;
    heddle_hold(name_of(lock) | 1);
    heddle_add_sync(HEDDLE_DEED_ACQUIRE_SHARED, lock, HEDDLE_IS_LOCK);
    return 0;
  }
  if (row->owner == self_number()) {
    if (type == error_checking) return is_try ? EBUSY : EDEADLK;
    if (type == normal) return EBUSY;
    ++row->count;
    return 0;
  }
  if (!heddle_is_free(row)) return EBUSY;
  row->owner = self_number();
  row->count = 1;
  heddle_hold(name_of(lock));
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, lock, HEDDLE_IS_LOCK);
  return 0;
}

int heddle_release(const void* lock, int type) {
  struct heddle_object* const row = heddle_object_at(lock);
  if (row->owner == HEDDLE_NOBODY && row->readers > 0) {
    if (!heddle_holds(heddle_self, name_of(lock) | 1)) heddle_note_gap("unlock of a read lock that another thread holds");
    --row->readers;
    heddle_let_go(heddle_self, name_of(lock) | 1);
    heddle_add_sync(HEDDLE_DEED_RELEASE_SHARED, lock, HEDDLE_IS_LOCK);
    return 0;
  }
  if (row->owner != self_number()) {
    if (type != normal) return EPERM;
    heddle_note_gap(row->owner == HEDDLE_NOBODY ? "unlock of a lock that is not held"
                                                : "unlock of a lock that another thread holds");
    if (row->owner == HEDDLE_NOBODY) return 0;
    heddle_let_go(&heddle_threads[row->owner], name_of(lock));
  }
  if (row->count > 1) {
    --row->count;
    return 0;
  }
  row->owner = HEDDLE_NOBODY;
  row->count = 0;
  heddle_let_go(heddle_self, name_of(lock));
  heddle_add_sync(HEDDLE_DEED_RELEASE, lock, HEDDLE_IS_LOCK);
  return 0;
}

static int take(const void* lock, size_t size, int is_shared, int type) {
  if (!heddle_is_controlled()) return 0;
  heddle_use(lock, size);
  heddle_self->view.size = type != normal;
  heddle_stop_before(is_shared ? HEDDLE_OP_LOCK_SHARED : HEDDLE_OP_LOCK, name_of(lock), 0);
  const int status = heddle_acquire(lock, is_shared, 0, type);
  if (status != 0) heddle_add_sync(HEDDLE_DEED_USES, lock, 0);
  return status;
}

/* `failure`: EBUSY, or ETIMEDOUT of a call that waits for a time. */
static int try_to_take(const void* lock, size_t size, int is_shared, int type, int failure) {
  if (!heddle_is_controlled()) return 0;
  heddle_use(lock, size);
  heddle_stop_before(is_shared ? HEDDLE_OP_TRY_LOCK_SHARED : HEDDLE_OP_TRY_LOCK, name_of(lock), 0);
  const struct heddle_object* const row = heddle_object_at(lock);
  const int could = row->owner == HEDDLE_NOBODY && (is_shared || row->readers == 0);
  const int fails = could && (heddle_machine.weak_tries || failure == ETIMEDOUT) && heddle_choose(2) != 0;
  int status = fails ? EBUSY : heddle_acquire(lock, is_shared, failure == EBUSY, type);
  if (status != 0) heddle_add_sync(HEDDLE_DEED_USES, lock, 0);
  return status == EBUSY ? failure : status;
}

static int take_in_time(const void* lock, size_t size, int is_shared, int type, const struct timespec* until) {
  heddle_look_at_time(until);
  const int status = try_to_take(lock, size, is_shared, type, ETIMEDOUT);
  if (status == ETIMEDOUT) heddle_sleep_until(until);
  return status;
}

static int give(const void* lock, size_t size, int type) {
  if (!heddle_is_controlled()) return 0;
  heddle_use(lock, size);
  heddle_stop_before(HEDDLE_OP_UNLOCK, name_of(lock), 0);
  return heddle_release(lock, type);
}

static int end_lock(const void* lock, size_t size) {
  if (!heddle_is_controlled()) return 0;
  heddle_use(lock, size);
  heddle_end_memory(lock, size, heddle_self->view.key);
  const int is_held = !heddle_is_free(heddle_use(lock, size));
  heddle_add_sync(HEDDLE_DEED_RESET, lock, 0);
  if (is_held) heddle_note_gap("a lock that is held is destroyed");
  return is_held ? EBUSY : 0;
}

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  static int (*real)(pthread_mutex_t*, const pthread_mutexattr_t*);
  if (real == NULL)
    real = (int (*)(pthread_mutex_t*, const pthread_mutexattr_t*))(uintptr_t)heddle_real("pthread_mutex_init");
  if (heddle_is_controlled()) heddle_reset_object(mutex, sizeof *mutex, 0, 0);
  return real(mutex, attributes);
}

/* The function of the system, too: `told` is what the records say. */
#define OF_MUTEX(name, told) HEDDLE_ALSO_REAL(told, name, (pthread_mutex_t*), (mutex))
#define OF_RWLOCK(name, told) HEDDLE_ALSO_REAL(told, name, (pthread_rwlock_t*), (lock))
#define OF_SPINLOCK(name, told) HEDDLE_ALSO_REAL(told, name, (pthread_spinlock_t*), (lock))

HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  OF_MUTEX(pthread_mutex_destroy, end_lock(mutex, sizeof *mutex));
}
HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
  OF_MUTEX(pthread_mutex_lock, take(mutex, sizeof *mutex, 0, heddle_mutex_type(mutex)));
}
HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  OF_MUTEX(pthread_mutex_trylock, try_to_take(mutex, sizeof *mutex, 0, heddle_mutex_type(mutex), EBUSY));
}
HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* until) {
  HEDDLE_ALSO_REAL(take_in_time(mutex, sizeof *mutex, 0, heddle_mutex_type(mutex), until), pthread_mutex_timedlock, (pthread_mutex_t*, const struct timespec*),
                   (mutex, until));
}
HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
  if (!heddle_is_clock(clock)) return EINVAL;
  HEDDLE_ALSO_REAL(take_in_time(mutex, sizeof *mutex, 0, heddle_mutex_type(mutex), until), pthread_mutex_clocklock,
                   (pthread_mutex_t*, clockid_t, const struct timespec*), (mutex, clock, until));
}
HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  OF_MUTEX(pthread_mutex_unlock, give(mutex, sizeof *mutex, heddle_mutex_type(mutex)));
}

HEDDLE_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  if (heddle_is_controlled()) heddle_reset_object(lock, sizeof *lock, 0, 0);
  *lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
  HEDDLE_ALSO_REAL(0, pthread_rwlock_init, (pthread_rwlock_t*, const pthread_rwlockattr_t*), (lock, attributes));
}
HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  OF_RWLOCK(pthread_rwlock_destroy, end_lock(lock, sizeof *lock));
}

static int take_for_writing(pthread_rwlock_t* lock) {
  if (heddle_is_controlled() && heddle_object_at(lock)->owner == self_number()) return EDEADLK;
  return take(lock, sizeof *lock, 0, normal);
}
HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  OF_RWLOCK(pthread_rwlock_wrlock, take_for_writing(lock));
}
static int take_for_reading(pthread_rwlock_t* lock) {
  if (heddle_is_controlled() && heddle_object_at(lock)->owner == self_number()) return EDEADLK;
  return take(lock, sizeof *lock, 1, normal);
}
HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  OF_RWLOCK(pthread_rwlock_rdlock, take_for_reading(lock));
}
HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  OF_RWLOCK(pthread_rwlock_trywrlock, try_to_take(lock, sizeof *lock, 0, normal, EBUSY));
}
HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  OF_RWLOCK(pthread_rwlock_tryrdlock, try_to_take(lock, sizeof *lock, 1, normal, EBUSY));
}
HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* until) {
  HEDDLE_ALSO_REAL(take_in_time(lock, sizeof *lock, 0, normal, until), pthread_rwlock_timedwrlock, (pthread_rwlock_t*, const struct timespec*),
                   (lock, until));
}
HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* until) {
  HEDDLE_ALSO_REAL(take_in_time(lock, sizeof *lock, 1, normal, until), pthread_rwlock_timedrdlock, (pthread_rwlock_t*, const struct timespec*),
                   (lock, until));
}
HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* until) {
  if (!heddle_is_clock(clock)) return EINVAL;
  HEDDLE_ALSO_REAL(take_in_time(lock, sizeof *lock, 0, normal, until), pthread_rwlock_clockwrlock,
                   (pthread_rwlock_t*, clockid_t, const struct timespec*), (lock, clock, until));
}
HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* until) {
  if (!heddle_is_clock(clock)) return EINVAL;
  HEDDLE_ALSO_REAL(take_in_time(lock, sizeof *lock, 1, normal, until), pthread_rwlock_clockrdlock,
                   (pthread_rwlock_t*, clockid_t, const struct timespec*), (lock, clock, until));
}
HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  OF_RWLOCK(pthread_rwlock_unlock, give(lock, sizeof *lock, normal));
}

/* pthread_spinlock_t is volatile. */
static const void* plain(pthread_spinlock_t* lock) { return (const void*)(uintptr_t)lock; }
HEDDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int shared) {
  if (heddle_is_controlled()) heddle_reset_object(plain(lock), sizeof *lock, 0, 0);
  *lock = 0;
  HEDDLE_ALSO_REAL(0, pthread_spin_init, (pthread_spinlock_t*, int), (lock, shared));
}
HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) {
  OF_SPINLOCK(pthread_spin_destroy, end_lock(plain(lock), sizeof *lock));
}
HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) {
  OF_SPINLOCK(pthread_spin_lock, take(plain(lock), sizeof *lock, 0, normal));
}
HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) {
  OF_SPINLOCK(pthread_spin_trylock, try_to_take(plain(lock), sizeof *lock, 0, normal, EBUSY));
}
HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) {
  OF_SPINLOCK(pthread_spin_unlock, give(plain(lock), sizeof *lock, normal));
}

/* The lock of a stream, for programs that take it themselves: what the library takes inside is not seen, so threads that
   take turns have it by their records alone. */
static const void* lock_of(FILE* stream) { return (const char*)stream + 2; }
static int call_for_stream(const char* name, FILE* stream) {
  return ((int (*)(FILE*))(uintptr_t)heddle_real(name))(stream);
}
HEDDLE_EXPORT void flockfile(FILE* stream) {
  if (heddle_is_plain_run()) call_for_stream("flockfile", stream);
  else take(lock_of(stream), 0, 0, recursive);
}
HEDDLE_EXPORT int ftrylockfile(FILE* stream) {
  if (heddle_is_plain_run()) return call_for_stream("ftrylockfile", stream);
  return try_to_take(lock_of(stream), 0, 0, recursive, EBUSY);
}
HEDDLE_EXPORT void funlockfile(FILE* stream) {
  if (heddle_is_plain_run()) call_for_stream("funlockfile", stream);
  else give(lock_of(stream), 0, recursive);
}

/* C11 */
static int c11(int status) {
  return status == 0 ? thrd_success : status == EBUSY ? thrd_busy : status == ETIMEDOUT ? thrd_timedout : thrd_error;
}

HEDDLE_EXPORT int mtx_init(mtx_t* mutex, int type) {
  static int (*real)(mtx_t*, int);
  if (real == NULL) real = (int (*)(mtx_t*, int))(uintptr_t)heddle_real("mtx_init");
  if (heddle_is_controlled()) heddle_reset_object(mutex, sizeof *mutex, 0, 0);
  return real(mutex, type);
}
HEDDLE_EXPORT void mtx_destroy(mtx_t* mutex) { end_lock(mutex, sizeof *mutex); }
HEDDLE_EXPORT int mtx_lock(mtx_t* mutex) { return c11(pthread_mutex_lock((pthread_mutex_t*)mutex)); }
HEDDLE_EXPORT int mtx_trylock(mtx_t* mutex) { return c11(pthread_mutex_trylock((pthread_mutex_t*)mutex)); }
HEDDLE_EXPORT int mtx_timedlock(mtx_t* restrict mutex, const struct timespec* restrict until) {
  return c11(pthread_mutex_timedlock((pthread_mutex_t*)mutex, until));
}
HEDDLE_EXPORT int mtx_unlock(mtx_t* mutex) { return c11(pthread_mutex_unlock((pthread_mutex_t*)mutex)); }
