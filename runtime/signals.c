/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Crashes end the thread that made them, in this execution only; and a clock sees to it that a thread which runs on
 * without an operation, or waits in the system, does not hold up everything.
 */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"

enum { alternate_size = 1 << 16 };

static const char* words_of(int number) {
  switch (number) {
    case SIGSEGV: return "segmentation fault";
    case SIGBUS: return "bus error";
    case SIGFPE: return "arithmetic exception";
    default: return "illegal instruction";
  }
}

static void crash(int number, siginfo_t* info, void* context) {
  (void)info, (void)context;
  if (!heddle_is_controlled()) {
    heddle_say("%s in the driver", words_of(number));
    _exit(4);
  }
  heddle_end_here(HEDDLE_CRASHED, words_of(number));
}

/* What the clock saw when it last ticked; a restart must not change it. */
static struct heddle_watch {
  uint64_t run;
  unsigned ticks;
  unsigned most_ticks;
} watch;

static void tick(int number, siginfo_t* info, void* context) {
  (void)number, (void)info, (void)context;
  if (watch.run != heddle_machine.run_number || !heddle_is_controlled()) {
    watch.run = heddle_machine.run_number;
    watch.ticks = 0;
    return;
  }
  if (++watch.ticks < watch.most_ticks) return;
  watch.ticks = 0;
  heddle_end_here(HEDDLE_LIMIT, "a thread runs on, or waits in the system, without coming to an operation");
}

static int is_ours(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGRTMAX - 1;
}

static int set_handler(int number, void (*handler)(int, siginfo_t*, void*)) {
  static int (*real)(int, const struct sigaction*, struct sigaction*);
  if (real == NULL)
    real = (int (*)(int, const struct sigaction*, struct sigaction*))(uintptr_t)heddle_real("sigaction");
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
  action.sa_sigaction = handler;
  return real(number, &action, NULL);
}

void heddle_set_up_signals(unsigned seconds) {
  heddle_keep(&watch, sizeof watch);
  watch.most_ticks = seconds;
  const stack_t stack = {.ss_sp = heddle_map(alternate_size), .ss_size = alternate_size};
  sigaltstack(&stack, NULL);
  set_handler(SIGSEGV, crash);
  set_handler(SIGBUS, crash);
  set_handler(SIGFPE, crash);
  set_handler(SIGILL, crash);
  set_handler(SIGRTMAX - 1, tick);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMAX - 1};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return;
  const struct itimerspec second = {{1, 0}, {1, 0}};
  timer_settime(timer, 0, &second, NULL);
}

/* Handlers of the program for its own crashes would never come to an end. */
HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  static int (*real)(int, const struct sigaction*, struct sigaction*);
  if (real == NULL)
    real = (int (*)(int, const struct sigaction*, struct sigaction*))(uintptr_t)heddle_real("sigaction");
  if (heddle_is_controlled() && action != NULL && is_ours(number)) return 0;
  if (heddle_is_controlled() && action != NULL && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
    heddle_note_open_end("a handler of signals may run at any time");
  return real(number, action, before);
}

HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler) {
  struct sigaction action = {.sa_flags = SA_RESTART}, before = {.sa_flags = 0};
  action.sa_handler = handler;
  return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}
