/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is to be run once: pthread_once, call_once, static variables of functions in C++.
 */
#include <threads.h>

#include "runtime.h"

static uint64_t name_of(const void* object) { return (uint64_t)(uintptr_t)object; }

enum { once_new = 0, once_running = 1, once_done = 2 };

/* True: the caller has to run what is to be run once. */
static int begin_once(const void* flag, size_t size) {
  heddle_use(flag, size);
  heddle_stop_before(HEDDLE_OP_ONCE, name_of(flag), 0);
  struct heddle_object* const row = heddle_object_at(flag);
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, flag, 0);
  if (row->count == once_done) return 0;
  row->count = once_running;
  row->owner = (uint32_t)(heddle_self - heddle_threads);
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

static int run_once_really(pthread_once_t* flag, void (*function)(void)) {
  HEDDLE_REAL(int, pthread_once, (pthread_once_t*, void (*)(void)));
  return real(flag, function);
}

HEDDLE_EXPORT int pthread_once(pthread_once_t* flag, void (*function)(void)) {
  if (!heddle_is_controlled()) {
    if (heddle_is_real) heddle_real_passed();
    return run_once_really(flag, function);
  }
  const int done = __tsan_acquire != NULL ? 1 : 2; /* ThreadSanitizer's mark and glibc's */
  struct heddle_object* const known = heddle_find_object(name_of(flag));
  if (*flag == done && known == NULL) return 0; /* before main */
  if (known != NULL && known->count == once_done && *flag != done) known->count = once_new; /* the program reset it */
  const int is_new = begin_once(flag, sizeof *flag);
  __attribute__((cleanup(abandon_once))) const void* begun = is_new ? flag : NULL; /* an exception leaves it to the next */
  if (heddle_is_real) run_once_really(flag, function);
  else if (is_new) function();
  begun = NULL;
  if (is_new && heddle_is_controlled()) {
    if (!heddle_is_real) *flag = done;
    end_once(flag, 1); /* in one with what the function did last */
  }
  return 0;
}
HEDDLE_EXPORT void call_once(once_flag* flag, void (*function)(void)) {
  pthread_once((pthread_once_t*)flag, function);
}

/* Static variables of functions in C++; the first byte tells compiled code that all is done. Who waits for whom is not
   kept there: that byte is memory which the program reads. */
static const void* guard_object(const char* guard) { return (const void*)(name_of(guard) | (uint64_t)1 << 60); }

/* The C++ library's own functions take part where there are threads of the system, and there is such a library outside
   of the program. Locks that they take are their own business. ThreadSanitizer's cannot be called: they have no other
   name, so that a program linked with it gets these by --defsym (src/project/native/tsan_library.cpp). */
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
  const int is_new = heddle_is_controlled() ? begin_once(guard_object(guard), 0) : 1;
  if (!heddle_is_real) return is_new;
  if (!heddle_is_controlled()) heddle_real_passed();
  heddle_tell_acquire(guard);
  return call_guard("__cxa_guard_acquire", guard, is_new);
}
HEDDLE_HOOK void heddle_guard_release(char* guard) {
  if (heddle_is_controlled()) {
    heddle_stop_before(HEDDLE_OP_ONCE_END, name_of(guard_object(guard)), 0);
    end_once(guard_object(guard), 1);
    heddle_drop_atomics(guard, 1);
    heddle_add_deed(HEDDLE_DEED_ATOMIC_WRITE, name_of(guard), 1, heddle_self->view.key, HEDDLE_RELEASES | HEDDLE_REPLACES);
  }
  heddle_tell_release(guard);
  if (heddle_is_real) call_guard("__cxa_guard_release", guard, 0);
  *guard = 1;
}
HEDDLE_HOOK void heddle_guard_abort(char* guard) {
  if (heddle_is_controlled()) {
    heddle_stop_before(HEDDLE_OP_ONCE_END, name_of(guard_object(guard)), 0);
    end_once(guard_object(guard), 0);
  }
  if (heddle_is_real) call_guard("__cxa_guard_abort", guard, 0);
}
HEDDLE_EXPORT int __cxa_guard_acquire(char* guard) { return heddle_guard_acquire(guard); }
HEDDLE_EXPORT void __cxa_guard_release(char* guard) { heddle_guard_release(guard); }
HEDDLE_EXPORT void __cxa_guard_abort(char* guard) { heddle_guard_abort(guard); }
