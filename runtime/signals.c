/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Signals. A crash, or a signal that would end the program, ends the thread that caused it, in this execution only. A
 * thread that runs on without an operation, or waits in the system, is given up when patience is over. Handlers of the
 * program are called; but when they run is nobody's decision, so nothing is proved then.
 *
 *   T1: sigwait(set)     T2: pthread_kill(T1, n)     an operation each: the one waits for the other. A signal that comes
 *                                                    from outside could come at any time, and does not come here
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime.h"

enum { alternate_size = 1 << 16, signal_end = 65, most_impatient = 3 };

/* A restart leaves it. */
static struct heddle_watch {
  unsigned impatient; /* so many threads were given up */
  uint8_t changed[signal_end]; /* what happens then: the program has said it */
  uint8_t is_changed, is_masked;
  sigset_t mask; /* at the beginning */
  pid_t process;
  char words[256];
} watch;

static int is_crash(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP;
}
static int is_ours(int number) { return is_crash(number) || number == HEDDLE_GIVE_UP; }

/* Signals that end a program unless it says otherwise. */
static const int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTRAP, SIGABRT, SIGBUS,    SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2,
                             SIGPIPE, SIGALRM, SIGTERM, SIGILL,  SIGXCPU, SIGVTALRM, SIGXFSZ, SIGPROF, SIGPOLL, SIGSYS};

static int real_action(int number, const struct sigaction* action, struct sigaction* before) {
  static int (*real)(int, const struct sigaction*, struct sigaction*);
  if (real == NULL)
    real = (int (*)(int, const struct sigaction*, struct sigaction*))(uintptr_t)heddle_real("sigaction");
  return real(number, action, before);
}

static int real_mask(int how, const sigset_t* change, sigset_t* before) {
  static int (*real)(int, const sigset_t*, sigset_t*);
  if (real == NULL) real = (int (*)(int, const sigset_t*, sigset_t*))(uintptr_t)heddle_real("pthread_sigmask");
  return real(how, change, before);
}

static void* stack_pointer_in(const ucontext_t* context) {
#if defined(__x86_64__)
  return (void*)context->uc_mcontext.gregs[REG_RSP];
#else
  return (void*)context->uc_mcontext.sp;
#endif
}
static void* code_pointer_in(const ucontext_t* context) {
#if defined(__x86_64__)
  return (void*)context->uc_mcontext.gregs[REG_RIP];
#else
  return (void*)context->uc_mcontext.pc;
#endif
}

/* The access was close to the end of the stack, whoever made it. */
static int is_overflow(int number, const siginfo_t* info, const ucontext_t* context) {
  const intptr_t distance = (char*)info->si_addr - (char*)stack_pointer_in(context);
  return number == SIGSEGV && distance > -(1 << 20) && distance < 1 << 16;
}

static const char* words_of(int number) {
  switch (number) {
    case SIGSEGV: return "segmentation fault";
    case SIGBUS: return "bus error";
    case SIGFPE: return "arithmetic exception";
    case SIGILL: return "illegal instruction";
    default: break;
  }
  snprintf(watch.words, sizeof watch.words, "the program ends itself by a signal: %s", strsignal(number));
  return watch.words;
}

static void die(int number, siginfo_t* info, void* context) {
  if (!heddle_is_controlled() && is_crash(number)) heddle_fail("%s in the driver", words_of(number));
  /* From outside: the user wants an end. */
  if (!heddle_is_controlled() || (!is_crash(number) && info->si_code == SI_USER && info->si_pid != watch.process))
    heddle_fail("the program was ended from outside: %s", strsignal(number));
  if (is_overflow(number, info, context)) heddle_end_here(HEDDLE_CRASHED, "a stack overflow");
  heddle_end_here(HEDDLE_CRASHED, words_of(number));
}

/* Where the thread is: in a function of a library, which may wait, or in the program itself. */
static const char* why_it_stays(const void* code) {
  Dl_info place;
  const char* const name = dladdr(code, &place) != 0 ? place.dli_sname : NULL;
  const char* const file = name != NULL && place.dli_fname != NULL ? strrchr(place.dli_fname, '/') : NULL;
  if (file != NULL && strstr(file, ".so") != NULL)
    snprintf(watch.words, sizeof watch.words, "a thread waits, or runs on, in '%s' of %s", name, file + 1);
  else
    snprintf(watch.words, sizeof watch.words, "a thread runs on without coming to an operation");
  return watch.words;
}

/* Sent by the process that waits for this one, and only when there is no more patience: a signal cuts calls short. */
static void give_up(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  if (!heddle_is_controlled() || heddle_pulse->blamed != heddle_machine.run_number) return;
  const char* const why = why_it_stays(code_pointer_in(context));
  if (++watch.impatient > most_impatient) heddle_fail("%s, in one execution after the other", why);
  heddle_end_here(HEDDLE_LIMIT, why);
}

static void set_handler(int number, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
  action.sa_sigaction = handler;
  real_action(number, &action, NULL);
}

/* What the program was started with, ignored signals say, stays. */
static void set_default(int number) {
  struct sigaction now;
  if (real_action(number, NULL, &now) == 0 && (is_ours(number) || now.sa_handler == SIG_DFL)) set_handler(number, die);
}

void heddle_set_up_signals(void) {
  heddle_keep(&watch, sizeof watch);
  watch.process = getpid();
  real_mask(SIG_BLOCK, NULL, &watch.mask);
  const stack_t stack = {.ss_sp = heddle_map(alternate_size), .ss_size = alternate_size};
  sigaltstack(&stack, NULL);
  for (unsigned i = 0; i < sizeof deadly / sizeof *deadly; ++i) set_default(deadly[i]);
  set_handler(HEDDLE_GIVE_UP, give_up);
}

static void put_back(int number) {
  static const struct sigaction by_default = {.sa_flags = 0};
  watch.changed[number] = 0;
  real_action(number, &by_default, NULL);
  for (unsigned i = 0; i < sizeof deadly / sizeof *deadly; ++i)
    if (deadly[i] == number) set_default(number);
}

void heddle_restart_signals(void) {
  if (watch.is_masked) real_mask(SIG_SETMASK, &watch.mask, NULL);
  for (int i = 1; watch.is_changed && i < signal_end; ++i)
    if (watch.changed[i]) put_back(i);
  watch.is_masked = watch.is_changed = 0;
}

static int is_handler(const struct sigaction* action) {
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

int heddle_call_handler(int number) {
  struct sigaction action;
  sigset_t mask;
  if (number <= 0 || number >= signal_end || !watch.changed[number]) return 0;
  if (real_action(number, NULL, &action) != 0 || !is_handler(&action)) return 0;
  if (real_mask(SIG_BLOCK, NULL, &mask) != 0 || sigismember(&mask, number)) return 0;
  siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
  if ((action.sa_flags & SA_SIGINFO) != 0)
    action.sa_sigaction(number, &info, NULL);
  else
    action.sa_handler(number);
  return 1;
}

/* Handlers of the program for its own crashes would never come to an end. */
HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  if (!heddle_is_controlled() || heddle_is_real) return real_action(number, action, before);
  if (action != NULL && is_handler(action)) heddle_note_open_end("a handler of signals may run at any time");
  const int is_known = number > 0 && number < signal_end;
  const int is_default = is_known && !watch.changed[number];
  if (is_known && is_ours(number)) {
    if (before != NULL) memset(before, 0, sizeof *before);
    return 0;
  }
  const int status = real_action(number, action, before);
  if (status != 0) return status;
  if (is_default && before != NULL && is_handler(before)) memset(before, 0, sizeof *before); /* ours */
  if (action == NULL) return 0;
  watch.changed[number] = watch.is_changed = 1;
  if (action->sa_handler == SIG_DFL) put_back(number);
  return 0;
}

HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler) {
  struct sigaction action = {.sa_flags = SA_RESTART}, before = {.sa_flags = 0};
  action.sa_handler = handler;
  return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}
HEDDLE_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) { return signal(number, handler); }
HEDDLE_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) { return signal(number, handler); }
HEDDLE_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler) { return signal(number, handler); }
HEDDLE_EXPORT sighandler_t ssignal(int number, sighandler_t handler) { return signal(number, handler); }
HEDDLE_EXPORT sighandler_t sigset(int number, sighandler_t handler) { return signal(number, handler); }

/* All contexts have one mask, and what is ours always gets through. */
HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t* change, sigset_t* before) {
  if (!heddle_is_controlled() || heddle_is_real || change == NULL) return real_mask(how, change, before);
  watch.is_masked = 1;
  sigset_t rest = *change;
  for (int i = 1; i < signal_end; ++i)
    if (is_ours(i)) sigdelset(&rest, i);
  return real_mask(how, &rest, before);
}
HEDDLE_EXPORT int sigprocmask(int how, const sigset_t* change, sigset_t* before) {
  const int status = pthread_sigmask(how, change, before);
  if (status == 0) return 0;
  errno = status;
  return -1;
}

/* The signals that are on their way to a thread that waits for such with sigwait. */
static uint64_t bits_of(const sigset_t* set) {
  uint64_t bits = 0;
  for (int i = 1; i < signal_end; ++i)
    if (sigismember(set, i) == 1) bits |= (uint64_t)1 << (i - 1);
  return bits;
}
static uint64_t object_of(const struct heddle_thread* thread) {
  return ((uint64_t)1 << 59) | ((uint64_t)(thread - heddle_threads) << 8) | 8;
}
static int has_signal(void* thread) {
  const struct heddle_thread* const self = thread;
  return (self->signals & self->awaited) != 0;
}

int heddle_waits_for_signal(const struct heddle_thread* thread) { return thread->is_ready == has_signal; }

int heddle_send_signal(struct heddle_thread* target, int number) {
  if (number <= 0 || number >= signal_end) return EINVAL;
  sigset_t blocked;
  real_mask(SIG_BLOCK, NULL, &blocked);
  /* All contexts have one mask: who blocks it somewhere, waits for it. Otherwise a handler would run, or all would end. */
  if (sigismember(&blocked, number) != 1) heddle_refuse("pthread_kill of another thread");
  heddle_stop_for(object_of(target), NULL, NULL);
  heddle_add_sync(HEDDLE_DEED_RELEASE, (const void*)(uintptr_t)object_of(target), 0);
  target->signals |= (uint64_t)1 << (number - 1);
  return 0;
}

static int wait_for_signal(const sigset_t* set) {
  struct heddle_thread* const self = heddle_self;
  heddle_note_open_end("a signal that the program waits for may come at any time");
  self->awaited = bits_of(set);
  heddle_stop_at_point_for(object_of(self), has_signal, self);
  heddle_add_sync(HEDDLE_DEED_ACQUIRE, (const void*)(uintptr_t)object_of(self), 0);
  int number = 1;
  while ((self->signals & self->awaited & (uint64_t)1 << (number - 1)) == 0) ++number;
  self->signals &= ~((uint64_t)1 << (number - 1));
  return number;
}

HEDDLE_EXPORT int sigwait(const sigset_t* set, int* number) {
  if (heddle_is_controlled() && !heddle_is_real) {
    *number = wait_for_signal(set);
    return 0;
  }
  if (heddle_is_controlled()) heddle_refuse("sigwait");
  HEDDLE_REAL(int, sigwait, (const sigset_t*, int*));
  return real(set, number);
}

/* Waits for a signal: when one comes is nobody's decision. */
#define REFUSED(name, parameters, types, arguments)                         \
  HEDDLE_EXPORT int name parameters {                                       \
    if (!heddle_is_real || heddle_is_controlled()) heddle_refuse(#name);    \
    HEDDLE_ALSO_REAL(0, name, types, arguments);                            \
  }
REFUSED(sigwaitinfo, (const sigset_t* set, siginfo_t* info), (const sigset_t*, siginfo_t*), (set, info))
REFUSED(sigtimedwait, (const sigset_t* set, siginfo_t* info, const struct timespec* length),
        (const sigset_t*, siginfo_t*, const struct timespec*), (set, info, length))
REFUSED(sigsuspend, (const sigset_t* set), (const sigset_t*), (set))
REFUSED(pause, (void), (void), ())
REFUSED(signalfd, (int descriptor, const sigset_t* set, int flags), (int, const sigset_t*, int),
        (descriptor, set, flags))
