/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The end of the program, and copies of it: a child of fork would be under nobody's control, so it is refused by name.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime.h"

static void __attribute__((noreturn)) leave_program(int status) {
  for (;;) {
    if (heddle_is_controlled()) heddle_stop_before(HEDDLE_OP_EXIT, 0, 0);
    syscall(SYS_exit_group, status);
  }
}
HEDDLE_EXPORT void _exit(int status) { leave_program(status); }
HEDDLE_EXPORT void _Exit(int status) { leave_program(status); }
HEDDLE_EXPORT void quick_exit(int status) { leave_program(status); }

static pid_t copy(const char* name) {
  if (heddle_is_controlled()) heddle_refuse(name);
  return (pid_t)syscall(SYS_clone, 17 /* SIGCHLD */, 0, 0, 0, 0);
}
HEDDLE_EXPORT pid_t fork(void) { return copy("fork"); }
HEDDLE_EXPORT pid_t _Fork(void) { return copy("_Fork"); }
HEDDLE_EXPORT int daemon(int stay, int keep) {
  (void)stay, (void)keep;
  if (heddle_is_controlled()) heddle_refuse("daemon");
  return -1;
}
