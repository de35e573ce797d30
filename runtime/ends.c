/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ends of threads and of the program, with all that runs then: clean-up handlers, destructors of thread_local objects
 * and of keys, handlers of exit and quick_exit.
 */
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>
#include <unwind.h>

#include "runtime.h"

/* Destructors of keys, as pthread_key_create was told. */
static void (*destructors[PTHREAD_KEYS_MAX])(void*);
static pthread_key_t key_end; /* behind the highest with a destructor */

static void note_key(pthread_key_t key, void (*destructor)(void*)) {
  if (key >= PTHREAD_KEYS_MAX) return;
  destructors[key] = destructor;
  if (destructor != NULL && key >= key_end) key_end = key + 1;
}

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  static int (*real)(pthread_key_t*, void (*)(void*));
  if (real == NULL) real = (int (*)(pthread_key_t*, void (*)(void*)))(uintptr_t)heddle_real("pthread_key_create");
  const int status = real(key, destructor);
  if (status == 0) note_key(*key, destructor);
  return status;
}
HEDDLE_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}

HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) {
  static int (*real)(pthread_key_t);
  if (real == NULL) real = (int (*)(pthread_key_t))(uintptr_t)heddle_real("pthread_key_delete");
  note_key(key, NULL);
  return real(key);
}
HEDDLE_EXPORT void tss_delete(tss_t key) { pthread_key_delete(key); }

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
  struct heddle_exit_call* const call = malloc(sizeof *call);
  if (call == NULL) return -1;
  /* What is made before main begins is main's. */
  struct heddle_exit_call** const list = &(heddle_is_controlled() ? heddle_self : heddle_threads)->exit_calls;
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

/* The program's thread-local variables: where they begin behind the thread pointer, and their size. */
static struct {
  ptrdiff_t begin;
  size_t size;
} storage;
#pragma weak __heddle1_thread_locals

static int find_storage(struct dl_phdr_info* program, size_t size, void* nothing) {
  (void)size, (void)nothing;
  for (int i = 0; i < program->dlpi_phnum; ++i)
    if (program->dlpi_phdr[i].p_type == PT_TLS && program->dlpi_tls_data != NULL) {
      storage.begin = (char*)program->dlpi_tls_data - (char*)heddle_thread_pointer();
      storage.size = program->dlpi_phdr[i].p_memsz;
    }
  return 1; /* the program itself is the first, and the only one with hooks */
}

/* Others may know its addresses. Not so of main: its storage stays as long as the program. */
static void end_storage(const struct heddle_thread* self) {
  if (&__heddle1_thread_locals == NULL || self == heddle_threads || storage.size == 0 ||
      !heddle_is_controlled())
    return;
  heddle_end_mapping((char*)heddle_thread_pointer() + storage.begin, storage.size);
}

void heddle_end_record(struct heddle_thread* self, void* result) {
  self->is_ending = 1;
  heddle_run_exit_calls(self);
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && destroy_values_once(); ++round) {
  }
  end_storage(self);
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

/* pthread_cleanup_push in C keeps a place to jump to; C++ and -fexceptions have destructors instead. */
void __pthread_register_cancel(__pthread_unwind_buf_t* buffer);
void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer);
void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) __attribute__((noreturn));

/* Of a thread of the system, which may lose its control meanwhile. */
static __thread struct {
  __pthread_unwind_buf_t* buffers;
  void* result;
} own;

static __pthread_unwind_buf_t** cleanup_buffers(void) {
  if (heddle_is_real) return &own.buffers;
  return &(heddle_self != NULL ? heddle_self : heddle_threads)->cleanup_buffers;
}
HEDDLE_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  buffer->__pad[0] = *cleanup_buffers();
  *cleanup_buffers() = buffer;
}
HEDDLE_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  *cleanup_buffers() = buffer->__pad[0];
}

static void __attribute__((noreturn)) run_newest_handler(void) {
  __pthread_unwind_buf_t* const buffer = *cleanup_buffers();
  *cleanup_buffers() = buffer->__pad[0];
  siglongjmp((struct __jmp_buf_tag*)(void*)buffer, 1); /* comes back by __pthread_unwind_next */
}

/* They end without a word of their own. Not so main's: behind its end there may be no other memory, and programs rely on
   it. */
static void end_frames(void) {
  const char here = 0;
  const uint32_t number = (uint32_t)(heddle_self - heddle_threads);
  if (number == 0 || !heddle_is_controlled()) return;
  heddle_end_mapping(&here, (size_t)((const char*)heddle_donor_stack_top(number) - &here));
}

/* Frames are left one by one, so that destructors and clean-up handlers run. */
static _Unwind_Reason_Code leave_frame(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                       struct _Unwind_Exception* exception, struct _Unwind_Context* context,
                                       void* nothing) {
  (void)version, (void)kind, (void)exception, (void)nothing;
  const __pthread_unwind_buf_t* const buffer = *cleanup_buffers();
  const int is_over = (actions & _UA_END_OF_STACK) != 0;
  if (buffer != NULL && (is_over || (uintptr_t)buffer < _Unwind_GetCFA(context))) run_newest_handler();
  if (is_over) {
    end_frames();
    heddle_finish_thread(heddle_self->result);
  }
  return _URC_NO_REASON;
}

/* A handler for every exception has caught it and goes on. */
static void end_of_exception(_Unwind_Reason_Code reason, struct _Unwind_Exception* exception) {
  (void)reason, (void)exception;
  heddle_end_here(HEDDLE_ABORTED, "a handler catches the end of a thread and does not throw it again");
}

static _Unwind_Reason_Code stop_looking(struct _Unwind_Context* context, void* nothing) {
  (void)context, (void)nothing;
  return _URC_NORMAL_STOP;
}
void heddle_set_up_ends(void) {
  _Unwind_Backtrace(stop_looking, NULL);
  dl_iterate_phdr(find_storage, NULL);
}

static void __attribute__((noreturn)) leave_frames(void) {
  struct _Unwind_Exception* const exception = calloc(1, sizeof *exception);
  exception->exception_cleanup = end_of_exception;
  _Unwind_ForcedUnwind(exception, leave_frame, NULL);
  heddle_finish_thread(heddle_self->result);
}

static void __attribute__((noreturn)) exit_freely(void) {
  if (own.buffers != NULL) run_newest_handler();
  HEDDLE_REAL(void, pthread_exit, (void*));
  real(own.result);
  __builtin_unreachable();
}

HEDDLE_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  (void)buffer;
  if (heddle_is_real && heddle_goes_freely()) exit_freely();
  leave_frames();
}

void heddle_leave_thread(void* result) {
  heddle_self->is_ending = 1;
  heddle_self->result = result;
  leave_frames();
}

HEDDLE_EXPORT void pthread_exit(void* result) {
  own.result = result;
  if (heddle_is_real && heddle_goes_freely()) exit_freely();
  if (heddle_self == NULL) heddle_refuse("pthread_exit before main");
  heddle_leave_thread(result);
}

void heddle_leave_program(int status) {
  for (;;) {
    if (heddle_is_controlled()) heddle_self->in_section = 0;
    heddle_stop_before(HEDDLE_OP_EXIT, 0, 0);
    syscall(SYS_exit_group, status);
  }
}
HEDDLE_EXPORT void _exit(int status) { heddle_leave_program(status); }
HEDDLE_EXPORT void _Exit(int status) { heddle_leave_program(status); }

HEDDLE_EXPORT void exit(int status) {
  static void (*real)(int);
  if (real == NULL) real = (void (*)(int))(uintptr_t)heddle_real("exit");
  if (heddle_is_controlled()) heddle_run_exit_calls(heddle_self);
  real(status);
  heddle_leave_program(status);
}

/* Handlers of quick_exit, newest first. */
static struct heddle_exit_call* quick_calls;
int __cxa_at_quick_exit(void (*function)(void*), void* library);
HEDDLE_EXPORT int __cxa_at_quick_exit(void (*function)(void*), void* library) {
  (void)library;
  struct heddle_exit_call* const call = malloc(sizeof *call);
  if (call == NULL) return -1;
  *call = (struct heddle_exit_call){function, NULL, quick_calls};
  quick_calls = call;
  return 0;
}
HEDDLE_EXPORT void quick_exit(int status) {
  while (quick_calls != NULL) {
    struct heddle_exit_call* const call = quick_calls;
    quick_calls = call->next;
    call->function(NULL);
  }
  heddle_leave_program(status);
}

/* Runs last of what the executable has registered for its end. */
__attribute__((destructor(101))) static void stop_at_end(void) {
  if (heddle_is_real) heddle_stop_before(HEDDLE_OP_EXIT, 0, 0);
  else if (heddle_self != NULL) heddle_leave_program(0);
}
