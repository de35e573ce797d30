/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Processes. A copy of the program would be under nobody's control, and a program that takes its place would take the
 * search with it: refused by name. Other programs may be started; but what they do is no part of a proof. The program's
 * own numbers are the same in every run.
 */
#include <aio.h>
#include <errno.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"

static pid_t copy(const char* name) {
  if (heddle_is_controlled()) heddle_refuse(name);
  if (!heddle_is_real) return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  HEDDLE_REAL(pid_t, fork, (void));
  return real();
}
HEDDLE_EXPORT pid_t fork(void) { return copy("fork"); }
HEDDLE_EXPORT pid_t _Fork(void) { return copy("_Fork"); }
HEDDLE_EXPORT pid_t vfork(void) { return copy("vfork"); }
/* REFUSED: from main on, unless threads are the system's and nobody controls them. */
#define REFUSED(name, parameters, types, arguments)       \
  HEDDLE_EXPORT int name parameters {                     \
    if (heddle_is_controlled()) heddle_refuse(#name);     \
    if (heddle_is_real) {                                 \
      HEDDLE_REAL(int, name, types);                      \
      return real arguments;                              \
    }                                                     \
    errno = ENOSYS;                                       \
    return -1;                                            \
  }
typedef char* const* words;
REFUSED(daemon, (int stay, int keep), (int, int), (stay, keep))
REFUSED(execve, (const char* path, words arguments, words environment), (const char*, words, words),
        (path, arguments, environment))
REFUSED(execv, (const char* path, words arguments), (const char*, words), (path, arguments))
REFUSED(execvp, (const char* file, words arguments), (const char*, words), (file, arguments))
REFUSED(execvpe, (const char* file, words arguments, words environment), (const char*, words, words),
        (file, arguments, environment))
REFUSED(fexecve, (int descriptor, words arguments, words environment), (int, words, words),
        (descriptor, arguments, environment))

/* The same with the words in the call, a null behind them, and behind that, perhaps, an environment. */
#define REFUSED_LIST(name, other, behind)                                      \
  HEDDLE_EXPORT int name(const char* file, const char* first, ...) {           \
    if (heddle_is_controlled()) heddle_refuse(#name);                          \
    char* all[1024] = {(char*)(uintptr_t)first};                               \
    va_list arguments;                                                         \
    va_start(arguments, first);                                                \
    for (int i = 1; i < 1023 && all[i - 1] != NULL; ++i) all[i] = va_arg(arguments, char*); \
    const words environment = behind;                                          \
    va_end(arguments);                                                         \
    return other(file, all, environment);                                      \
  }
extern char** environ;
REFUSED_LIST(execl, execve, environ)
REFUSED_LIST(execlp, execvpe, environ)
REFUSED_LIST(execle, execve, va_arg(arguments, words))

HEDDLE_EXPORT int clone(int (*entry)(void*), void* stack, int flags, void* argument, ...) {
  if (heddle_is_controlled()) heddle_refuse("clone");
  va_list arguments;
  va_start(arguments, argument);
  void* const parent = va_arg(arguments, void*);
  void* const storage = va_arg(arguments, void*);
  void* const child = va_arg(arguments, void*);
  va_end(arguments);
  HEDDLE_REAL(int, clone, (int (*)(void*), void*, int, void*, ...));
  return real(entry, stack, flags, argument, parent, storage, child);
}
/* The C library would start a real thread for these. */
REFUSED(aio_read, (struct aiocb* request), (struct aiocb*), (request))
REFUSED(aio_write, (struct aiocb* request), (struct aiocb*), (request))
REFUSED(aio_fsync, (int how, struct aiocb* request), (int, struct aiocb*), (how, request))
REFUSED(lio_listio, (int mode, struct aiocb* const* list, int count, struct sigevent* event),
        (int, struct aiocb* const*, int, struct sigevent*), (mode, list, count, event))
REFUSED(mq_notify, (mqd_t queue, const struct sigevent* event), (mqd_t, const struct sigevent*), (queue, event))

static void note_start(void) {
  if (heddle_is_controlled()) heddle_note_open_end("another program is started");
}

HEDDLE_EXPORT int system(const char* command) {
  static int (*real)(const char*);
  if (real == NULL) real = (int (*)(const char*))(uintptr_t)heddle_real("system");
  note_start();
  return real(command);
}
HEDDLE_EXPORT FILE* popen(const char* command, const char* mode) {
  static FILE* (*real)(const char*, const char*);
  if (real == NULL) real = (FILE * (*)(const char*, const char*))(uintptr_t)heddle_real("popen");
  note_start();
  return real(command, mode);
}
/* Where its variables lie would be another place each time. */
HEDDLE_EXPORT void* dlopen(const char* file, int mode) {
  static void* (*real)(const char*, int);
  if (real == NULL) real = (void* (*)(const char*, int))(uintptr_t)heddle_real("dlopen");
  if (heddle_is_controlled() && file != NULL) heddle_note_open_end("a library is loaded while the program runs");
  return real(file, mode);
}
#define SPAWN(name)                                                                                                  \
  HEDDLE_EXPORT int name(pid_t* process, const char* path, const posix_spawn_file_actions_t* files,                  \
                         const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {    \
    static int (*real)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,             \
                       char* const*, char* const*);                                                                  \
    if (real == NULL)                                                                                                \
      real = (int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*, \
                      char* const*))(uintptr_t)heddle_real(#name);                                                   \
    note_start();                                                                                                    \
    return real(process, path, files, attributes, arguments, environment);                                           \
  }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

/* Timers that send signals: the first one would come at a moment that nobody decides, so none comes. */
static int is_timer_left_out(void) {
  if (heddle_is_real && !heddle_is_controlled()) return 0;
  heddle_note_open_end("a timer sends signals");
  return 1;
}
HEDDLE_EXPORT unsigned alarm(unsigned seconds) {
  if (seconds == 0 && !heddle_is_real) return 0;
  if (is_timer_left_out()) return 0;
  HEDDLE_REAL(unsigned, alarm, (unsigned));
  return real(seconds);
}
HEDDLE_EXPORT useconds_t ualarm(useconds_t length, useconds_t interval) {
  if (is_timer_left_out()) return 0;
  HEDDLE_REAL(useconds_t, ualarm, (useconds_t, useconds_t));
  return real(length, interval);
}
HEDDLE_EXPORT int setitimer(__itimer_which_t which, const struct itimerval* restrict value,
                            struct itimerval* restrict before) {
  if (is_timer_left_out()) {
    if (before != NULL) *before = (struct itimerval){{0, 0}, {0, 0}};
    return 0;
  }
  HEDDLE_REAL(int, setitimer, (__itimer_which_t, const struct itimerval*, struct itimerval*));
  return real(which, value, before);
}
HEDDLE_EXPORT int timer_create(clockid_t clock, struct sigevent* restrict event, timer_t* restrict timer) {
  static int (*real)(clockid_t, struct sigevent*, timer_t*);
  if (real == NULL) real = (int (*)(clockid_t, struct sigevent*, timer_t*))(uintptr_t)heddle_real("timer_create");
  if (heddle_is_controlled()) heddle_refuse("timer_create");
  return real(clock, event, timer);
}
REFUSED(timerfd_create, (int clock, int flags), (int, int), (clock, flags))

enum { first_number = 1000 };
/* A program that has seen them keeps them, controlled or not. */
HEDDLE_EXPORT pid_t getpid(void) { return heddle_self != NULL ? first_number : (pid_t)syscall(SYS_getpid); }
HEDDLE_EXPORT pid_t getppid(void) { return heddle_self != NULL ? first_number - 1 : (pid_t)syscall(SYS_getppid); }
HEDDLE_EXPORT pid_t gettid(void) {
  return heddle_self != NULL ? first_number + (pid_t)heddle_own_number() : (pid_t)syscall(SYS_gettid);
}
HEDDLE_EXPORT int sched_getcpu(void) { return 0; }

HEDDLE_EXPORT int kill(pid_t process, int number) {
  if (heddle_self != NULL && number != 0) heddle_note_open_end("a signal is sent");
  const pid_t itself = (pid_t)syscall(SYS_getpid);
  return (int)syscall(SYS_kill, heddle_self != NULL && process == first_number ? itself : process, number);
}
HEDDLE_EXPORT int raise(int number) {
  if (heddle_self != NULL) heddle_note_open_end("a signal is sent");
  if (heddle_is_controlled() && !heddle_is_real && heddle_call_handler(number)) return 0;
  if (heddle_is_real) return (int)syscall(SYS_tgkill, syscall(SYS_getpid), heddle_syscall(SYS_gettid), number);
  return (int)syscall(SYS_kill, syscall(SYS_getpid), number);
}
