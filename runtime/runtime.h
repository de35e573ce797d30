/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of the library share. All state of the program's threads and synchronisation objects is ordinary
 * memory of the process, so that a restart puts it back with everything else.
 *
 *   start.c      main, worker, settings             schedule.c    operations, scripts, who is enabled
 *   threads.c    threads                            donors.c      thread-local storage for them
 *   ends.c       ends of threads, of the program      cancel.c      cancelled threads
 *   locks.c …    what the functions do              accesses.c, ways.c    hooks of instrumented code
 *   atomics.c    atomic accesses
 *   heap.c       malloc                             snapshot.c    back to the beginning
 *   signals.c    crashes, endless steps             time.c, descriptors.c, polls.c …      the system
 *   real_threads.c, real_script.c                   a schedule followed by threads of the system
 *
 * Threads are contexts of one thread of the kernel, so the library needs no locks: only at an operation can another
 * thread run.
 */
#ifndef HEDDLE_RUNTIME_INTERNAL_H
#define HEDDLE_RUNTIME_INTERNAL_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include "context.h"
#include "heddle_driver.h"
#include "heddle_runtime.h"

/* Weak: a program that defines the function itself means its own. */
#define HEDDLE_EXPORT __attribute__((visibility("default"), weak))
#define HEDDLE_HOOK __attribute__((visibility("default")))

enum { HEDDLE_MOST_THREADS = 256, HEDDLE_DRIVER_HEAP = HEDDLE_MOST_THREADS - 1 };
enum { HEDDLE_MOST_ACCESSES = 100000 }; /* of one step */

/* Something to be called at a thread's end. */
struct heddle_exit_call {
  void (*function)(void*);
  void* argument;
  struct heddle_exit_call* next;
};

struct heddle_thread {
  struct heddle_view view;
  struct heddle_context context;
  void* (*entry)(void*);
  void* result;
  struct heddle_exit_call* exit_calls;
  __pthread_unwind_buf_t* cleanup_buffers; /* of pthread_cleanup_push in C, newest first */
  uint32_t children;
  uint32_t wait_count; /* how often a lock is held again behind a wait; the barrier's generation */
  uint32_t accesses; /* since its latest operation */
  int (*is_ready)(void*); /* with HEDDLE_OP_DESCRIPTOR: whether it would not wait; null: it never does */
  void* waits_for;
  uint64_t slept; /* nanoseconds */
  uint64_t signals, awaited; /* a bit each */
  uint64_t random;
  uint64_t standing; /* __heddle1_standing before its operation; even: not known */
  size_t mapped; /* bytes of its room for mappings */
  uint8_t is_finished, is_detached, is_joined, is_bound, in_section;
  uint8_t is_cancelled, is_uncancellable, is_asynchronous, is_ending; /* cancel.c */
  uint64_t held[HEDDLE_MOST_HELD]; /* a shared one has its lowest bit set */
};

extern struct heddle_thread heddle_threads[HEDDLE_MOST_THREADS];
extern struct heddle_thread* heddle_self; /* the running thread; null: none is controlled */
extern struct heddle_machine heddle_machine;
extern struct heddle_context heddle_driver_context;

/* The program is under control and has, or had, a second thread. */
static inline int heddle_is_shared(void) { return heddle_machine.thread_count > 1; }
/* It runs with threads of the system (real_threads.c), which take turns until they are released. */
extern uint8_t heddle_is_real, heddle_is_released;
static inline int heddle_is_controlled(void) { return heddle_self != NULL && !heddle_is_released; }
void heddle_real_passed(void);
/* The thread that asks is not controlled, and comes to an operation. */
static inline int heddle_goes_freely(void) {
  if (heddle_is_controlled()) return 0;
  if (heddle_is_real) heddle_real_passed();
  return 1;
}
/* It never was: the program runs as it is. */
static inline int heddle_is_plain_run(void) { return heddle_is_real && heddle_self == NULL; }

/* schedule.c */
/* The running thread stands before an operation until it is told to make it. */
void heddle_stop_before(enum heddle_op op, uint64_t object, uint64_t lock);
void heddle_stop_before_memory(enum heddle_op op, const void* address, size_t size, uint64_t key);
/* Of `count` outcomes. */
uint32_t heddle_choose(uint32_t count);
uint64_t heddle_choose_value(uint32_t bits);
/* The thread makes no further step. Does not return. */
void heddle_end_here(enum heddle_ending ending, const char* text) __attribute__((noreturn));
void heddle_refuse(const char* what) __attribute__((noreturn));
/* A lock is misused, and the program goes on. */
void heddle_note_gap(const char* why);
/* One run does not stand for every run of the same schedule. */
void heddle_note_open_end(const char* why);
int heddle_is_enabled(uint32_t thread);
size_t heddle_enabled(uint32_t* threads);
size_t heddle_run(const struct heddle_choice* script, size_t count);
void heddle_set_up_schedule(void);

/* deeds */
void heddle_add_deed(enum heddle_deed_kind kind, uint64_t address, uint32_t size, uint64_t key, uint32_t flags);
void heddle_add_sync(enum heddle_deed_kind kind, const void* object, uint32_t flags);
/* Memory, or an object in it, ends or begins. */
void heddle_end_memory(const void* address, size_t size, uint64_t key);
void heddle_end_mapping(const void* address, size_t size);
void heddle_write_late(const void* address, size_t size);
/* What was written last is as it was, or left a trace. */
extern uint8_t heddle_is_unsettled;
void heddle_settle_now(void);
static inline void heddle_settle_write(void) {
  if (heddle_is_unsettled) heddle_settle_now();
}
/* The same where the memory may be gone: it left one. */
void heddle_forget_write(void);
/* Whether it changes anything shows when the thread goes on. */
void heddle_announce_write(const void* address, size_t size);

/* atomics.c */
void heddle_set_up_atomics(void);
void heddle_restart_atomics(void);
void heddle_settle_atomic(void);
/* These bytes are written otherwise, or are gone. */
extern uint8_t heddle_has_atomics;
void heddle_drop_those(const void* address, size_t size);
static inline void heddle_drop_atomics(const void* address, size_t size) {
  if (heddle_has_atomics) heddle_drop_those(address, size);
}

/* ways.c */
void heddle_set_up_ways(void);

/* threads.c */
struct heddle_thread* heddle_thread_of(pthread_t handle);
void heddle_set_up_threads(void);
void heddle_hold(uint64_t lock);
void heddle_let_go(struct heddle_thread* thread, uint64_t lock);
int heddle_holds(const struct heddle_thread* thread, uint64_t lock);

/* ends.c */
/* What the unwinder does once it does before main: it is no affair of the program. */
void heddle_set_up_ends(void);
/* All that a thread does at its end, up to the last operation. */
void heddle_end_record(struct heddle_thread* self, void* result);
void heddle_run_exit_calls(struct heddle_thread* thread);
void heddle_finish_thread(void* result) __attribute__((noreturn));
/* With all that pthread_exit does. */
void heddle_leave_thread(void* result) __attribute__((noreturn));
void heddle_leave_program(int status) __attribute__((noreturn));

/* cancel.c */
/* heddle_stop_before of a call that is a cancellation point. True: the thread ends there, once it has cleaned up.
   `may_be_late`: also one that was cancelled before may return if it need not wait. */
int heddle_stop_at_point(enum heddle_op op, uint64_t object, uint64_t lock, int may_be_late);
void heddle_end_cancelled(void) __attribute__((noreturn));
/* A call that never waits is one. */
void heddle_test_cancel(void);

/* donors.c */
int heddle_make_donors(unsigned count);
void* heddle_donor_pointer(uint32_t thread);
pthread_t heddle_donor_handle(uint32_t thread);
void* heddle_donor_stack_top(uint32_t thread);
void* heddle_donor_stack_low(uint32_t thread);
/* What of its mapping is thread-local storage. */
void* heddle_donor_storage_end(uint32_t thread);
unsigned heddle_donor_count(void);
size_t heddle_stack_size(void);

/* objects.c: locks, conditions, semaphores, barriers, once flags by their address */
struct heddle_object {
  uint64_t address;
  uint32_t next; /* in its bucket */
  uint32_t owner;
  uint32_t count; /* recursion, semaphore value, arrivals, once state */
  uint32_t readers;
  uint32_t limit;
  uint32_t generation;
  uint32_t size; /* bytes; 0: nobody said */
};
extern struct heddle_object* heddle_latest_object; /* found: one operation looks for its object several times */
struct heddle_object* heddle_look_for_object(uint64_t address);
static inline struct heddle_object* heddle_find_object(uint64_t address) {
  if (heddle_latest_object != NULL && heddle_latest_object->address == address) return heddle_latest_object;
  return heddle_look_for_object(address);
}
struct heddle_object* heddle_make_object(uint64_t address);
static inline struct heddle_object* heddle_object_at(const void* address) {
  struct heddle_object* const object = heddle_find_object((uint64_t)(uintptr_t)address);
  return object != NULL ? object : heddle_make_object((uint64_t)(uintptr_t)address);
}
/* The same for the function that is called with it, and knows its type. */
static inline struct heddle_object* heddle_use(const void* address, size_t size) {
  struct heddle_object* const object = heddle_object_at(address);
  object->size = (uint32_t)size;
  return object;
}
static inline int heddle_is_free(const struct heddle_object* object) {
  return object == NULL || (object->owner == HEDDLE_NOBODY && object->readers == 0);
}
void heddle_reset_object(const void* address, size_t size, uint32_t count, uint32_t limit);
/* All rows, one behind the other. */
char* heddle_object_rows(size_t* used);
void heddle_set_up_objects(void);
/* Whether one lies there, or a part of it. */
int heddle_holds_object(const void* begin, size_t size);
/* The memory is gone: what lay in it is as new. */
void heddle_drop_objects(const void* begin, size_t size);

/* waits.c, for conditions and futexes: until the object is signalled and the lock, if there is one, is free. True: the
   thread is cancelled (`is_point`). */
int heddle_wait(uint64_t object, uint64_t lock, int is_timed, int is_point);
/* How many, of those that wait. */
uint32_t heddle_wake(uint64_t object, uint32_t most);

/* locks.c, for conditions */
int heddle_acquire(const void* lock, int is_shared, int is_try, int type);
int heddle_release(const void* lock, int type);
int heddle_mutex_type(const pthread_mutex_t* mutex);

/* heap.c */
extern char* heddle_heap_base;
size_t heddle_heap_used(uint32_t heap);
char* heddle_heap_of(uint32_t heap);
void heddle_set_up_heap(void);
/* Where the C library lies. */
void heddle_find_library(void);
/* The driver is loaded from now on. */
void heddle_begin_loading(void);
/* Memory that is asked for from now on, and not by a thread of the program, is the driver's. */
void heddle_begin_driver(void);

/* snapshot.c */
void heddle_keep(const void* begin, size_t size);
int heddle_take_snapshot(void);
void heddle_restart(void);
/* The program may have closed or replaced a descriptor that it was started with. */
void heddle_note_moved_descriptor(void);
/* The search's own: the program must not touch it. */
int heddle_is_own_descriptor(int number);

/* files.c */
void heddle_set_up_files(void);
void heddle_restart_files(void);
/* A file of this number was made in this execution. */
int heddle_is_made(ino_t number);
/* One that was there before is not what it was: executions are not alike. */
void heddle_note_changed_file(void);

/* names.c */
/* Not operations. */
int heddle_status(int folder, const char* path, struct stat* to, int flags);
int heddle_status_of(int descriptor, struct stat* to);
/* The calling thread looks at what the system keeps; two who do do not see each other. */
void heddle_look_at(uint64_t object);
/* The calling thread makes or removes a name. */
void heddle_change_names(void);

/* mappings.c */
void heddle_set_up_mappings(void);
void heddle_restart_mappings(void);

/* signals.c */
#define HEDDLE_GIVE_UP (SIGRTMAX - 1)
void heddle_set_up_signals(void);
void heddle_restart_signals(void);
/* From another thread: none comes from outside. */
int heddle_waits_for_signal(const struct heddle_thread* thread);
/* The program's own handler, if there is one and the signal is not blocked: the calling thread runs it. */
int heddle_call_handler(int number);
/* To a thread that waits for it, or will. */
int heddle_send_signal(struct heddle_thread* target, int number);

/* descriptors.c */
/* Pipes, sockets and the like, all of them. */
extern const uint64_t heddle_channels;
/* Names of files, and files that the program has made. */
extern const uint64_t heddle_made_files;
uint64_t heddle_object_of_descriptor(int descriptor);
/* The calling thread stands before an operation on what the system keeps. */
void heddle_stop_for(uint64_t object, int (*ready)(void*), void* what);
/* The same where a cancelled thread ends. */
void heddle_stop_at_point_for(uint64_t object, int (*ready)(void*), void* what);
void heddle_order_by(uint64_t object, int gives, int takes);
/* Until the outside makes ready what the thread waits for. */
int heddle_wait_for(const struct heddle_thread* thread, int milliseconds);
int heddle_wait_outside(int milliseconds);

/* Whether it would not wait; an error is ready, too: the call will tell. */
int heddle_poll_now(struct pollfd* one);

/* arrivals.c */
struct heddle_arrival {
  struct pollfd poll;
  size_t wanted;
  uint64_t progress; /* of the thread */
  uint32_t thread;
  int is_outside;
};
void heddle_set_up_arrivals(void);
/* The thread is about to read so many bytes. What tells whether they have come; null: it never waits. */
int (*heddle_expect(struct heddle_arrival* arrival, int fd, size_t wanted, int waits))(void*);
/* They have: how many it reads. */
size_t heddle_take_arrived(struct heddle_arrival* arrival);

/* kernel.c */
/* The kernel's call itself, whoever is controlled. */
long heddle_syscall(long number, ...);

/* time.c */
void heddle_sleep(uint64_t nanoseconds);
void heddle_sleep_until(const struct timespec* until);
void heddle_set_up_time(void);

/* start.c */
/* What the process that waits for the worker sees of it, and says. */
struct heddle_pulse {
  volatile uint64_t run;    /* that is under way */
  volatile uint64_t blamed; /* that takes too long */
};
extern struct heddle_pulse* heddle_pulse;
extern int heddle_result_descriptor;
/* The end, with an answer that says why. */
void heddle_fail(const char* format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Ends the process if there is none. */
void* heddle_real(const char* name);
/* Null if there is none. */
void* heddle_find_real(const char* name);
void* heddle_map(size_t bytes);

/* real_threads.c */
/* The thread stands before an operation: it goes on when the schedule says so. */
void heddle_real_leave(struct heddle_thread* self);
/* An operation without control comes: the racing access before it, if there was one, was made. */
void heddle_real_passed(void);
/* Of the calling thread, controlled or not any more. */
uint32_t heddle_own_number(void);
int heddle_real_create(pthread_t* handle, const pthread_attr_t* attributes, struct heddle_thread* thread);
pthread_t heddle_real_handle(uint32_t thread);
void heddle_real_finish(struct heddle_thread* self) __attribute__((noreturn));
int heddle_run_real(int argc, char** argv, char** envp);

/* A function of the C library, or ThreadSanitizer's in front of it. */
#define HEDDLE_REAL(type, name, types)     \
  static type(*real) types;                \
  if (real == NULL) real = (type(*) types)(uintptr_t)heddle_real(#name)

/* ThreadSanitizer shall see the function that called ours: its frames are those of the code it watches. */
extern void __tsan_func_entry(void* caller) __attribute__((weak));
extern void __tsan_func_exit(void) __attribute__((weak));
#define HEDDLE_TSAN_ENTER() \
  if (__tsan_func_entry != NULL && heddle_is_real) __tsan_func_entry(__builtin_return_address(0))
#define HEDDLE_TSAN_LEAVE() \
  if (__tsan_func_exit != NULL && heddle_is_real) __tsan_func_exit()

/* A thread whose turn it is cannot wait for the others in a function that orders them: it is told what is ordered. */
extern void __tsan_acquire(void* address) __attribute__((weak));
extern void __tsan_release(void* address) __attribute__((weak));
static inline void heddle_tell_release(void* object) {
  if (__tsan_release != NULL) __tsan_release(object);
}
static inline void heddle_tell_acquire(void* object) {
  if (__tsan_acquire != NULL) __tsan_acquire(object);
}

/* glibc knows these two for calls that wait until a time, and refuses others before it does anything. */
static inline int heddle_is_clock(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }
static inline int heddle_is_time(const struct timespec* time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}
/* Some calls look at the time before they do anything, some only when they have to wait. */
static inline void heddle_look_at_time(const struct timespec* until) {
  if (until != NULL && heddle_is_controlled() && !heddle_is_time(until))
    heddle_note_gap("a call waits until a time that there is not");
}

/* `told` is what the records say. With threads of the system the function itself does the same, and does not wait. */
#define HEDDLE_ALSO_REAL(told, name, types, arguments)           \
  do {                                                           \
    const int status_ = (told);                                  \
    if (!heddle_is_real) return status_;                         \
    if (!heddle_goes_freely() && status_ != 0) return status_;   \
    HEDDLE_REAL(int, name, types);                               \
    HEDDLE_TSAN_ENTER();                                         \
    const int done_ = real arguments;                            \
    HEDDLE_TSAN_LEAVE();                                         \
    return done_;                                                \
  } while (0)

#endif
