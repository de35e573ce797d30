/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls that may wait for a descriptor: operations that are enabled when the system would not let them wait. What the
 * kernel keeps is shared by all threads, so two operations on one file, pipe or socket depend on each other.
 */
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime.h"

/* Files and pipes by their number in the file system; all sockets are one, for the other end may be here too. */
static uint64_t object_of(int descriptor) {
  struct stat status;
  const uint64_t space = (uint64_t)1 << 59;
  if (fstat(descriptor, &status) != 0) return space;
  if (S_ISSOCK(status.st_mode)) return space | 1;
  return space | (((uint64_t)status.st_ino << 8 ^ (uint64_t)status.st_dev) << 1 & (space - 1)) | 2;
}

int heddle_is_descriptor_ready(int descriptor, unsigned events) {
  struct pollfd one = {descriptor, (short)events, 0};
  return poll(&one, 1, 0) != 0; /* an error is ready, too: the call will tell */
}

/* The calling thread stands before an operation on it. */
static void stop_for(int descriptor, unsigned events) {
  if (!heddle_is_controlled()) return;
  heddle_self->descriptor = descriptor;
  heddle_self->events = events;
  heddle_stop_before(HEDDLE_OP_DESCRIPTOR, object_of(descriptor), 0);
  heddle_machine.left_traces = 1;
}

#define FORWARD(type, name, parameters, types, arguments, descriptor, events)    \
  HEDDLE_EXPORT type name parameters {                                           \
    static type(*real) types;                                                    \
    if (real == NULL) real = (type(*) types)(uintptr_t)heddle_real(#name);       \
    stop_for(descriptor, events);                                                \
    return real arguments;                                                       \
  }

FORWARD(ssize_t, read, (int fd, void* to, size_t n), (int, void*, size_t), (fd, to, n), fd, POLLIN)
FORWARD(ssize_t, write, (int fd, const void* from, size_t n), (int, const void*, size_t), (fd, from, n), fd, POLLOUT)
FORWARD(ssize_t, readv, (int fd, const struct iovec* v, int n), (int, const struct iovec*, int), (fd, v, n), fd, POLLIN)
FORWARD(ssize_t, writev, (int fd, const struct iovec* v, int n), (int, const struct iovec*, int), (fd, v, n), fd,
        POLLOUT)
FORWARD(ssize_t, recv, (int fd, void* to, size_t n, int f), (int, void*, size_t, int), (fd, to, n, f), fd, POLLIN)
FORWARD(ssize_t, send, (int fd, const void* from, size_t n, int f), (int, const void*, size_t, int), (fd, from, n, f),
        fd, POLLOUT)
FORWARD(ssize_t, recvfrom,
        (int fd, void* restrict to, size_t n, int f, struct sockaddr* restrict a, socklen_t* restrict l),
        (int, void*, size_t, int, struct sockaddr*, socklen_t*), (fd, to, n, f, a, l), fd, POLLIN)
FORWARD(ssize_t, sendto, (int fd, const void* from, size_t n, int f, const struct sockaddr* a, socklen_t l),
        (int, const void*, size_t, int, const struct sockaddr*, socklen_t), (fd, from, n, f, a, l), fd, POLLOUT)
FORWARD(ssize_t, recvmsg, (int fd, struct msghdr* m, int f), (int, struct msghdr*, int), (fd, m, f), fd, POLLIN)
FORWARD(ssize_t, sendmsg, (int fd, const struct msghdr* m, int f), (int, const struct msghdr*, int), (fd, m, f), fd,
        POLLOUT)
FORWARD(int, accept, (int fd, struct sockaddr* restrict a, socklen_t* restrict l), (int, struct sockaddr*, socklen_t*),
        (fd, a, l), fd, POLLIN)
FORWARD(int, accept4, (int fd, struct sockaddr* restrict a, socklen_t* restrict l, int f),
        (int, struct sockaddr*, socklen_t*, int), (fd, a, l, f), fd, POLLIN)

/* Waits that end when a descriptor is ready or time has passed, which it always may. */
static int wait_for_any(int timeout, int (*ask)(void*, int), void* what) {
  for (;;) {
    const int found = ask(what, 0);
    if (found != 0 || timeout == 0) return found;
    heddle_stop_before(HEDDLE_OP_CONTINUE, 0, 0);
    if (timeout > 0) return ask(what, 0);
    if (heddle_machine.thread_count == 1) return ask(what, -1);
  }
}

struct polled {
  struct pollfd* descriptors;
  nfds_t count;
};
static int (*real_poll)(struct pollfd*, nfds_t, int);
static int ask_poll(void* what, int timeout) {
  const struct polled* const all = what;
  return real_poll(all->descriptors, all->count, timeout);
}
HEDDLE_EXPORT int poll(struct pollfd* descriptors, nfds_t count, int timeout) {
  if (real_poll == NULL) real_poll = (int (*)(struct pollfd*, nfds_t, int))(uintptr_t)heddle_real("poll");
  if (!heddle_is_controlled()) return real_poll(descriptors, count, timeout);
  struct polled all = {descriptors, count};
  return wait_for_any(timeout, ask_poll, &all);
}

struct waited {
  int descriptor;
  struct epoll_event* events;
  int most;
};
static int (*real_epoll_wait)(int, struct epoll_event*, int, int);
static int ask_epoll(void* what, int timeout) {
  const struct waited* const all = what;
  return real_epoll_wait(all->descriptor, all->events, all->most, timeout);
}
HEDDLE_EXPORT int epoll_wait(int descriptor, struct epoll_event* events, int most, int timeout) {
  if (real_epoll_wait == NULL)
    real_epoll_wait = (int (*)(int, struct epoll_event*, int, int))(uintptr_t)heddle_real("epoll_wait");
  if (!heddle_is_controlled()) return real_epoll_wait(descriptor, events, most, timeout);
  struct waited all = {descriptor, events, most};
  return wait_for_any(timeout, ask_epoll, &all);
}

struct selected {
  int count;
  fd_set *reads, *writes, *errors;
};
static int (*real_select)(int, fd_set*, fd_set*, fd_set*, struct timeval*);
static int ask_select(void* what, int timeout) {
  const struct selected* const all = what;
  fd_set reads, writes, errors;
  if (all->reads != NULL) reads = *all->reads;
  if (all->writes != NULL) writes = *all->writes;
  if (all->errors != NULL) errors = *all->errors;
  struct timeval none = {0, 0};
  const int found = real_select(all->count, all->reads ? &reads : NULL, all->writes ? &writes : NULL,
                                all->errors ? &errors : NULL, timeout < 0 ? NULL : &none);
  if (found != 0 || timeout >= 0) {
    const int keep = found == 0 && timeout == 0;
    if (!keep && all->reads != NULL) *all->reads = reads;
    if (!keep && all->writes != NULL) *all->writes = writes;
    if (!keep && all->errors != NULL) *all->errors = errors;
  }
  return found;
}
HEDDLE_EXPORT int select(int count, fd_set* restrict reads, fd_set* restrict writes, fd_set* restrict errors,
                         struct timeval* restrict timeout) {
  if (real_select == NULL)
    real_select = (int (*)(int, fd_set*, fd_set*, fd_set*, struct timeval*))(uintptr_t)heddle_real("select");
  if (!heddle_is_controlled()) return real_select(count, reads, writes, errors, timeout);
  struct selected all = {count, reads, writes, errors};
  const int milliseconds = timeout == NULL ? -1 : timeout->tv_sec == 0 && timeout->tv_usec == 0 ? 0 : 1;
  const int found = wait_for_any(milliseconds, ask_select, &all);
  if (found == 0) {
    if (reads != NULL) FD_ZERO(reads);
    if (writes != NULL) FD_ZERO(writes);
    if (errors != NULL) FD_ZERO(errors);
  }
  return found;
}

/* With no thread able to go on: until the outside makes a descriptor ready that one waits for. True: there is one. */
int heddle_wait_outside(int milliseconds) {
  struct pollfd all[HEDDLE_MOST_THREADS];
  nfds_t count = 0;
  for (uint32_t i = 0; i < heddle_machine.thread_count; ++i) {
    const struct heddle_thread* const thread = &heddle_threads[i];
    if (thread->view.op == HEDDLE_OP_DESCRIPTOR)
      all[count++] = (struct pollfd){thread->descriptor, (short)thread->events, 0};
  }
  return count > 0 && poll(all, count, milliseconds) > 0;
}
