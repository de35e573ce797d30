/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads: a created one is a record; its context is bound when it first runs. Numbers do not depend on which of two
 * creators was faster: a thread keeps the number that its creator's ordinal got first, in all executions.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unwind.h>

#include "runtime.h"

static struct heddle_names {
  uint32_t count; /* numbers given; main has 0 */
  uint32_t creator[HEDDLE_MOST_THREADS];
  uint32_t ordinal[HEDDLE_MOST_THREADS];
} names;

void heddle_set_up_threads(void) {
  heddle_keep(&names, sizeof names);
  heddle_keep(heddle_threads, sizeof heddle_threads); /* the snapshot looks at those in use */
}

static uint32_t number_of(uint32_t creator, uint32_t ordinal) {
  for (uint32_t i = 1; i <= names.count; ++i)
    if (names.creator[i] == creator && names.ordinal[i] == ordinal) return i;
  if ((!heddle_is_real && names.count + 1 >= heddle_donor_count()) || names.count + 1 >= HEDDLE_DRIVER_HEAP) heddle_end_here(HEDDLE_LIMIT, "too many threads");
  ++names.count;
  names.creator[names.count] = creator;
  names.ordinal[names.count] = ordinal;
  return names.count;
}

static pthread_t handle_of(uint32_t thread) {
  return heddle_is_real ? heddle_real_handle(thread) : heddle_donor_handle(thread);
}

struct heddle_thread* heddle_thread_of(pthread_t handle) {
  /* The youngest first: the system gives the handle of a thread that is gone to another one. */
  for (uint32_t i = heddle_machine.thread_count; i-- > 1;)
    if (heddle_threads[i].view.creator != HEDDLE_NOBODY && pthread_equal(handle_of(i), handle))
      return &heddle_threads[i];
  return NULL;
}

void heddle_hold(uint64_t lock) {
  if (heddle_self->held_count == HEDDLE_MOST_HELD) heddle_end_here(HEDDLE_LIMIT, "too many locks are held at once");
  heddle_self->held[heddle_self->held_count++] = lock;
}

void heddle_let_go(struct heddle_thread* thread, uint64_t lock) {
  for (uint32_t i = thread->held_count; i-- > 0;)
    if (thread->held[i] == lock) {
      memmove(&thread->held[i], &thread->held[i + 1], (thread->held_count - i - 1) * sizeof *thread->held);
      --thread->held_count;
      return;
    }
}

int heddle_holds(const struct heddle_thread* thread, uint64_t lock) {
  for (uint32_t i = 0; i < thread->held_count; ++i)
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
  if (attributes != NULL) pthread_attr_getdetachstate(attributes, &state);
  heddle_machine.left_traces = 1;
  struct heddle_thread* const self = heddle_self;
  const uint32_t creator = (uint32_t)(self - heddle_threads), ordinal = self->children++;
  const uint32_t index = number_of(creator, ordinal);
  struct heddle_thread* const thread = &heddle_threads[index];
  memset(thread, 0, sizeof *thread);
  thread->entry = entry;
  thread->argument = argument;
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
  if (heddle_is_real) return heddle_real_create(handle, attributes, thread);
  *handle = heddle_donor_handle(index);
  return 0;
}

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*entry)(void*),
                                 void* argument) {
  HEDDLE_TSAN_ENTER();
  const int status = create(handle, attributes, entry, argument);
  HEDDLE_TSAN_LEAVE();
  return status;
}

/* Destructors of keys, as pthread_key_create was told. */
static void (*destructors[PTHREAD_KEYS_MAX])(void*);
static pthread_key_t key_end; /* behind the highest with a destructor */

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  static int (*real)(pthread_key_t*, void (*)(void*));
  if (real == NULL) real = (int (*)(pthread_key_t*, void (*)(void*)))(uintptr_t)heddle_real("pthread_key_create");
  const int status = real(key, destructor);
  if (status == 0 && *key < PTHREAD_KEYS_MAX) destructors[*key] = destructor;
  if (status == 0 && destructor != NULL && *key >= key_end) key_end = *key + 1;
  return status;
}

HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) {
  static int (*real)(pthread_key_t);
  if (real == NULL) real = (int (*)(pthread_key_t))(uintptr_t)heddle_real("pthread_key_delete");
  if (key < PTHREAD_KEYS_MAX) destructors[key] = NULL;
  return real(key);
}

static int destroy_values_once(void) {
  int found = 0;
  for (pthread_key_t key = 0; key < key_end; ++key) {
    void* const value = destructors[key] == NULL ? NULL : pthread_getspecific(key);
    if (value == NULL) continue;
    pthread_setspecific(key, NULL);
    destructors[key](value);
    found = 1;
  }
  return found;
}

/* thread_local objects of C++. */
HEDDLE_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* library) {
  if (heddle_is_real && !heddle_is_controlled()) {
    HEDDLE_REAL(int, __cxa_thread_atexit_impl, (void (*)(void*), void*, void*));
    return real(function, object, library);
  }
  static struct heddle_exit_call* before_main;
  struct heddle_exit_call* const call = malloc(sizeof *call);
  if (call == NULL) return -1;
  struct heddle_exit_call** const list = heddle_is_controlled() ? &heddle_self->exit_calls : &before_main;
  *call = (struct heddle_exit_call){function, object, *list};
  *list = call;
  return 0;
}

void heddle_run_exit_calls(struct heddle_thread* self) {
  while (self->exit_calls != NULL) {
    struct heddle_exit_call* const call = self->exit_calls;
    self->exit_calls = call->next;
    call->function(call->argument);
    free(call);
  }
}

void heddle_end_record(struct heddle_thread* self, void* result) {
  heddle_run_exit_calls(self);
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && destroy_values_once(); ++round) {
  }
  self->result = result;
  self->is_finished = 1;
  heddle_add_deed(HEDDLE_DEED_THREAD_END, (uint64_t)(self - heddle_threads), 0, ~(uint64_t)0, 0);
}

void heddle_finish_thread(void* result) {
  struct heddle_thread* const self = heddle_self;
  heddle_end_record(self, result);
  if (heddle_is_real) heddle_real_finish(self);
  heddle_stop_before(HEDDLE_OP_NONE, 0, 0);
  __builtin_trap();
}

static int join(struct heddle_thread* target, int is_try, void** result) {
  if (!heddle_is_controlled() && heddle_is_real) return 0;
  if (target == NULL) return ESRCH;
  if (target == heddle_self) return EDEADLK;
  heddle_stop_before(is_try ? HEDDLE_OP_TRY_JOIN : HEDDLE_OP_JOIN, (uint64_t)(target - heddle_threads), 0);
  if (target->is_detached) {
    heddle_note_gap("join of a detached thread");
    return EINVAL;
  }
  if (!target->is_finished) return EBUSY;
  if (target->is_joined) heddle_end_here(HEDDLE_CRASHED, "a thread is joined twice");
  target->is_joined = 1;
  heddle_add_deed(HEDDLE_DEED_JOIN, (uint64_t)(target - heddle_threads), 0, heddle_self->view.key, 0);
  if (result != NULL) *result = target->result;
  return 0;
}

HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
  HEDDLE_ALSO_REAL(join(heddle_thread_of(handle), 0, result), pthread_join, (pthread_t, void**), (handle, result));
}
HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) {
  /* A thread that has ended by its record is about to end really. */
  HEDDLE_ALSO_REAL(join(heddle_thread_of(handle), 1, result), pthread_join, (pthread_t, void**), (handle, result));
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

/* pthread_exit: frames are left one by one, so that destructors and clean-up handlers run. */
static _Unwind_Reason_Code stop_unwinding(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                          struct _Unwind_Exception* exception, struct _Unwind_Context* context,
                                          void* result) {
  (void)version, (void)kind, (void)exception, (void)context;
  if (actions & _UA_END_OF_STACK) heddle_finish_thread(result);
  return _URC_NO_REASON;
}

HEDDLE_EXPORT void pthread_exit(void* result) {
  struct heddle_thread* const self = heddle_self;
  if (heddle_is_real && !heddle_is_controlled()) {
    heddle_real_passed();
    HEDDLE_REAL(void, pthread_exit, (void*));
    real(result);
  }
  if (self == NULL) heddle_refuse("pthread_exit before main");
  self->result = result;
  if (self->cleanup_buffers != NULL) heddle_refuse("pthread_cleanup_push in code compiled without -fexceptions");
  struct _Unwind_Exception* const exception = calloc(1, sizeof *exception);
  _Unwind_ForcedUnwind(exception, stop_unwinding, result);
  heddle_finish_thread(result);
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

HEDDLE_EXPORT int pthread_cancel(pthread_t handle) {
  (void)handle;
  heddle_refuse("pthread_cancel");
}
