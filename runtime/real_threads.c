/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads of the system that take turns. The library keeps its records as ever, so that a thread stands before the same
 * operations as under the driver; the one whose turn it is makes its operation really, too (HEDDLE_ALSO_REAL), which
 * never has to wait: by the records it can go on. At the schedule's end both racing threads are let go at once, and
 * nothing orders their accesses:
 *
 *   T1  … hook: waits for its turn ─────────────┐ heddle_racing_pair ── access ── next hook: waits for the other one
 *   T2  … hook: it was the last one to run ─────┘ heddle_racing_pair ── access ── next hook: both were made, the end
 *
 * The other threads stay where they are until both accesses were made. Then the process ends, or, for a debugger
 * (HEDDLE_AFTER=go), everybody goes on without control.
 *
 *   HEDDLE_SCHEDULE   the schedule; none: the program runs without control from its beginning
 *   HEDDLE_RESULT     descriptor: `reached` before the accesses, or `error` and why they were not
 */
#include <errno.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "real.h"

uint8_t heddle_is_real;
uint8_t heddle_is_released;

enum { waits = 0, goes = 1 };
static uint32_t turns[HEDDLE_MOST_THREADS]; /* a word for each thread to wait for */
static uint32_t arrived, passed;            /* of the racing threads */
static uint32_t pair_size = 2;
static pthread_t handles[HEDDLE_MOST_THREADS];
static int goes_on; /* behind the race */

/* The calling thread's number; main has 0 as others have that were created without control. */
static __thread uint32_t own_number;
static __thread uint8_t is_racing, has_passed;

/* Who is meant by heddle_self when nobody is controlled any more. */
static struct heddle_thread* nobody(void) { return &heddle_threads[HEDDLE_DRIVER_HEAP]; }

extern void __tsan_init(void) __attribute__((weak));

static void sleep_on(const uint32_t* word, uint32_t value, const struct timespec* most) {
  heddle_syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, most, NULL, 0);
}
static void wake(uint32_t* word) { heddle_syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, HEDDLE_MOST_THREADS, NULL, NULL, 0); }

static void __attribute__((noreturn)) end_process(int status) {
  heddle_restart_files(); /* that the program made */
  for (;;) heddle_syscall(SYS_exit_group, status);
}

static void tell(const char* text) {
  const int to = heddle_result_descriptor;
  if (to >= 0 && heddle_syscall(SYS_write, to, text, strlen(text)) < 0) end_process(3);
}

void heddle_real_fail(const char* why, uint64_t step) {
  heddle_self = NULL;
  heddle_restart_files();
  if (step != 0) heddle_fail("%s %llu", why, (unsigned long long)step);
  heddle_fail("%s", why);
}

static void let_go(uint32_t thread) {
  __atomic_store_n(&turns[thread], goes, __ATOMIC_SEQ_CST);
  wake(&turns[thread]);
}

static void release_all(void) {
  for (uint32_t i = 0; i < HEDDLE_MOST_THREADS; ++i) let_go(i);
}

/* Where a debugger stops: when the second thread comes here, neither has made its access. Both leave it together. */
__attribute__((noinline, visibility("default"))) void heddle_racing_pair(void) {
  const uint32_t before = __atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
  wake(&arrived);
  for (uint32_t seen; (seen = __atomic_load_n(&arrived, __ATOMIC_SEQ_CST)) < pair_size;) sleep_on(&arrived, seen, NULL);
  /* Two accesses in the very same moment are seen by neither: ThreadSanitizer looks first and writes then. */
  if (__tsan_init != NULL && before + 1 == pair_size) {
    const struct timespec a_moment = {0, 20000000};
    heddle_syscall(SYS_nanosleep, &a_moment, NULL);
  }
}

/* For the thread's next operation, or its end: its access was made. */
void heddle_real_passed(void) {
  if (!is_racing || has_passed) return;
  has_passed = 1;
  const uint32_t count = __atomic_add_fetch(&passed, 1, __ATOMIC_SEQ_CST);
  wake(&passed);
  if (count == pair_size) {
    if (!goes_on) end_process(0);
    release_all();
    return;
  }
  if (goes_on) return;
  const struct timespec patience = {30, 0}; /* the other one may never come to an operation */
  sleep_on(&passed, count, &patience);
  end_process(0);
}

static void wait_for_turn(struct heddle_thread* self) {
  uint32_t* const turn = &turns[self - heddle_threads];
  while (__atomic_exchange_n(turn, waits, __ATOMIC_SEQ_CST) == waits) sleep_on(turn, waits, NULL);
  if (!heddle_is_released) {
    heddle_self = self;
    return;
  }
  while (self->view.op == HEDDLE_OP_FAILED) sleep_on(turn, waits, NULL); /* it was to make no further step */
  const struct heddle_real_end* const end = heddle_script_end();
  const uint32_t number = (uint32_t)(self - heddle_threads);
  if (has_passed || (number != end->second && (end->is_unordered || number != end->first))) return;
  is_racing = 1;
  heddle_racing_pair();
}

static int overlap(const struct heddle_view* a, const struct heddle_view* b) {
  const uint64_t size_a = a->op >= HEDDLE_OP_ATOMIC_READ && a->op <= HEDDLE_OP_WRITE ? a->size : a->object_size;
  const uint64_t size_b = b->op >= HEDDLE_OP_ATOMIC_READ && b->op <= HEDDLE_OP_WRITE ? b->size : b->object_size;
  if (a->op == HEDDLE_OP_SECTION || b->op == HEDDLE_OP_SECTION) return 1; /* shows when it runs */
  return a->object < b->object + size_b && b->object < a->object + size_a;
}

static int stands_there(uint32_t index) {
  return heddle_is_enabled(index) || heddle_asks(heddle_threads[index].view.op);
}

/* All steps were made: both stand before their accesses. */
static void release_pair(void) {
  const struct heddle_real_end* const end = heddle_script_end();
  const struct heddle_view* const first = &heddle_threads[end->first].view;
  const struct heddle_view* const second = &heddle_threads[end->second].view;
  if (!end->is_unordered) {
    const uint32_t count = heddle_machine.thread_count;
    if (end->first >= count || end->second >= count || !stands_there(end->first) || !stands_there(end->second) ||
        !overlap(first, second))
      heddle_real_fail("the schedule ran to its end, and its two threads do not race there", 0);
    heddle_script_check_end(first->key, second->key);
  }
  pair_size = end->is_unordered ? 1 : 2;
  tell("reached \ndone \n");
  heddle_self = nobody();
  heddle_is_released = 1;
  let_go(end->second);
  if (!end->is_unordered) let_go(end->first);
}

/* What comes from outside comes again, but perhaps not at once. */
static int can_go_on(uint32_t index) {
  if (heddle_is_enabled(index)) return 1;
  const struct heddle_thread* const thread = &heddle_threads[index];
  return thread->view.op == HEDDLE_OP_DESCRIPTOR && heddle_wait_for(thread, 5000);
}

/* Gives the turn to whom the schedule names: `self` if that is the caller. */
static struct heddle_thread* next_thread(void) {
  const uint32_t index = heddle_script_next();
  const struct heddle_real_end* const end = heddle_script_end();
  if (index == HEDDLE_NOBODY) return NULL;
  if (index >= heddle_machine.thread_count || !can_go_on(index))
    heddle_real_fail("the thread that is next in the schedule cannot go on there: step", heddle_script_step());
  const int is_access = end->is_unordered && index == end->second && heddle_script_is_last();
  heddle_script_take(heddle_threads[index].view.key);
  return is_access ? NULL : &heddle_threads[index];
}

static void hand_over(struct heddle_thread* next) {
  if (next == NULL) release_pair();
  else let_go((uint32_t)(next - heddle_threads));
}

void heddle_real_leave(struct heddle_thread* self) {
  struct heddle_thread* const next = next_thread();
  if (next == self) return;
  hand_over(next);
  wait_for_turn(self);
}

/* A thread of the system. pthread_exit jumps back to its beginning, by means that ThreadSanitizer does not look at. */
#if defined(__aarch64__)
#define KEEP_PLACE(place) _setjmp(place)
#define JUMP_BACK(place) longjmp(place, 1)
typedef jmp_buf place_type;
#else
#define KEEP_PLACE(place) __builtin_setjmp(place)
#define JUMP_BACK(place) __builtin_longjmp(place, 1)
typedef void* place_type[5];
#endif
struct beginning {
  struct heddle_thread* thread;
  place_type place;
};
static __thread struct beginning* beginning;

static void end_turn(struct heddle_thread* self) {
  self->view.op = HEDDLE_OP_NONE;
  if (heddle_is_controlled()) hand_over(next_thread());
  heddle_real_passed();
}

static void* begin(void* argument) {
  struct beginning here = {.thread = argument};
  struct heddle_thread* const self = here.thread;
  own_number = (uint32_t)(self - heddle_threads);
  beginning = &here;
  if (KEEP_PLACE(here.place) == 0) {
    wait_for_turn(self);
    void* const result = self->entry((void*)(uintptr_t)self->view.argument);
    self->result = result;
    if (heddle_is_controlled()) heddle_end_record(self, result);
    else heddle_run_exit_calls(self);
    end_turn(self);
  }
  return self->result;
}

/* Of the calling thread, which has said all that it had to say. */
void heddle_real_finish(struct heddle_thread* self) {
  end_turn(self);
  if (beginning != NULL) JUMP_BACK(beginning->place);
  const uint32_t never = 0;
  for (;;) sleep_on(&never, 0, NULL); /* main: the process lives on */
}

int heddle_real_create(pthread_t* handle, const pthread_attr_t* attributes, struct heddle_thread* thread) {
  static int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (real == NULL)
    real = (int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))(uintptr_t)heddle_real("pthread_create");
  struct heddle_thread* const self = heddle_self;
  heddle_self = NULL; /* what the C library does meanwhile is not the program's */
  const int status = real(handle, attributes, begin, thread);
  heddle_self = self;
  if (status == 0) handles[thread - heddle_threads] = *handle;
  return status;
}

uint32_t heddle_own_number(void) {
  return heddle_is_real ? own_number : (uint32_t)(heddle_self - heddle_threads);
}

pthread_t heddle_real_handle(uint32_t thread) { return handles[thread]; }

static unsigned number_of(const char* name) {
  const char* const text = getenv(name);
  return text == NULL ? ~0u : (unsigned)strtoul(text, NULL, 10);
}

/* Before other constructors: locks that they take are real ones. */
__attribute__((constructor(101))) static void find_mode(void) {
  heddle_is_real = heddle_is_released = getenv("HEDDLE_DRIVER") == NULL;
}

int heddle_run_real(int argc, char** argv, char** envp) {
  const char* const file = getenv("HEDDLE_SCHEDULE");
  if (file == NULL) return __heddle1_main(argc, argv, envp);
  heddle_result_descriptor = (int)number_of("HEDDLE_RESULT");
  if (heddle_result_descriptor >= 0) prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody would end a run that waits for ever */
  const char* const after = getenv("HEDDLE_AFTER");
  goes_on = after != NULL && strcmp(after, "go") == 0;
  heddle_read_script(file);
  for (uint32_t i = 0; i < HEDDLE_MOST_THREADS; ++i) heddle_threads[i].view.creator = HEDDLE_NOBODY;
  heddle_set_up_objects();
  heddle_set_up_ends();
  heddle_find_library();
  heddle_machine.thread_count = 1;
  heddle_machine.at_accesses = 1;
  heddle_machine.asks = 1;
  heddle_machine.answer = heddle_script_answer;
  handles[0] = pthread_self();
  heddle_begin_driver();
  heddle_threads[0].view.op = HEDDLE_OP_START;
  heddle_self = &heddle_threads[0];
  heddle_is_released = 0;
  heddle_real_leave(&heddle_threads[0]);
  exit(__heddle1_main(argc, argv, envp));
}
