/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Locks, queues and semaphores of the system, which order threads as well as processes. A call that would wait is tried
 * again when another thread has done something that may end the wait.
 */
#include <errno.h>
#include <mqueue.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "runtime.h"

static uint64_t changes; /* that the program's threads made so far */

static int has_changed(void* seen) { return *(uint64_t*)seen != changes; }

/* `attempt` fails with `busy` where the call would wait. `is_point`: a cancelled thread ends there. */
static long wait_in_system(long (*attempt)(void*), void* what, int busy, int may_wait, int is_point) {
  uint64_t seen = changes - 1;
  for (;;) {
    if (is_point)
      heddle_stop_at_point_for(heddle_channels, has_changed, &seen);
    else
      heddle_stop_for(heddle_channels, has_changed, &seen);
    heddle_order_by(heddle_channels, 1, 1);
    const long result = attempt(what);
    if (result >= 0 || errno != busy || !may_wait || !heddle_is_controlled()) {
      ++changes;
      return result;
    }
    seen = changes;
  }
}

struct file_lock {
  int descriptor, how;
};
static long try_flock(void* what) {
  static int (*real)(int, int);
  if (real == NULL) real = (int (*)(int, int))(uintptr_t)heddle_real("flock");
  const struct file_lock* const lock = what;
  return real(lock->descriptor, heddle_is_controlled() ? lock->how | LOCK_NB : lock->how);
}
HEDDLE_EXPORT int flock(int descriptor, int how) {
  struct file_lock lock = {descriptor, how};
  return (int)wait_in_system(try_flock, &lock, EWOULDBLOCK, (how & LOCK_NB) == 0, 0);
}

struct semaphore_steps {
  int set;
  struct sembuf* steps;
  size_t count;
};
static long try_semop(void* what) {
  static int (*real)(int, struct sembuf*, size_t);
  if (real == NULL) real = (int (*)(int, struct sembuf*, size_t))(uintptr_t)heddle_real("semop");
  const struct semaphore_steps* const all = what;
  struct sembuf steps[64];
  if (!heddle_is_controlled() || all->count > 64) return real(all->set, all->steps, all->count);
  for (size_t i = 0; i < all->count; ++i) {
    steps[i] = all->steps[i];
    steps[i].sem_flg |= IPC_NOWAIT;
  }
  return real(all->set, steps, all->count);
}
HEDDLE_EXPORT int semop(int set, struct sembuf* steps, size_t count) {
  struct semaphore_steps all = {set, steps, count};
  return (int)wait_in_system(try_semop, &all, EAGAIN, count == 0 || (steps[0].sem_flg & IPC_NOWAIT) == 0, 0);
}
HEDDLE_EXPORT int semtimedop(int set, struct sembuf* steps, size_t count, const struct timespec* length) {
  struct semaphore_steps all = {set, steps, count};
  return (int)wait_in_system(try_semop, &all, EAGAIN, length == NULL, 0);
}

struct message {
  int queue;
  void* text;
  size_t size;
  long kind;
  int flags;
};
static long try_receive(void* what) {
  static ssize_t (*real)(int, void*, size_t, long, int);
  if (real == NULL) real = (ssize_t(*)(int, void*, size_t, long, int))(uintptr_t)heddle_real("msgrcv");
  const struct message* const one = what;
  return real(one->queue, one->text, one->size, one->kind, heddle_is_controlled() ? one->flags | IPC_NOWAIT : one->flags);
}
static long try_send(void* what) {
  static int (*real)(int, const void*, size_t, int);
  if (real == NULL) real = (int (*)(int, const void*, size_t, int))(uintptr_t)heddle_real("msgsnd");
  const struct message* const one = what;
  return real(one->queue, one->text, one->size, heddle_is_controlled() ? one->flags | IPC_NOWAIT : one->flags);
}
HEDDLE_EXPORT ssize_t msgrcv(int queue, void* text, size_t size, long kind, int flags) {
  struct message one = {queue, text, size, kind, flags};
  return wait_in_system(try_receive, &one, ENOMSG, (flags & IPC_NOWAIT) == 0, 1);
}
HEDDLE_EXPORT int msgsnd(int queue, const void* text, size_t size, int flags) {
  struct message one = {queue, (void*)(uintptr_t)text, size, 0, flags};
  return (int)wait_in_system(try_send, &one, EAGAIN, (flags & IPC_NOWAIT) == 0, 1);
}

/* They outlive an execution, and the program. */
#define NAMED(type, name, parameters, types, arguments)                                               \
  HEDDLE_EXPORT type name parameters {                                                                \
    static type(*real) types;                                                                         \
    if (real == NULL) real = (type(*) types)(uintptr_t)heddle_real(#name);                            \
    if (heddle_is_controlled()) heddle_note_open_end("the system keeps a queue or semaphore (" #name ")"); \
    return real arguments;                                                                            \
  }
NAMED(int, semget, (key_t key, int count, int flags), (key_t, int, int), (key, count, flags))
NAMED(int, msgget, (key_t key, int flags), (key_t, int), (key, flags))
