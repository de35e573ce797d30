/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls on descriptors: operations, which wait as long as the system would let them wait. What the kernel keeps is
 * shared by all threads, so two operations on one file depend on each other, and so do all operations on pipes,
 * sockets and the like: which of them are two ends of one thing is the kernel's knowledge.
 *
 *   T1: x = 1; write(p[1], …)      T2: read(p[0], …); x = 2      what comes through a pipe comes behind what was sent
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"

static const uint64_t space = (uint64_t)1 << 59; /* of objects of the system */
const uint64_t heddle_channels = ((uint64_t)1 << 59) | 1, heddle_made_files = ((uint64_t)1 << 59) | 4;

/* Files by their number in the file system; those that the program has made get another one each time, and are one. */
uint64_t heddle_object_of_descriptor(int descriptor) {
  struct stat status;
  if (heddle_status_of(descriptor, &status) != 0) return space;
  const int is_file = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISCHR(status.st_mode) ||
                      S_ISBLK(status.st_mode);
  if (!is_file) return heddle_channels;
  if (status.st_nlink == 0 || heddle_is_made(status.st_ino)) return heddle_made_files;
  return space | (((uint64_t)status.st_ino << 8 ^ (uint64_t)status.st_dev) << 1 & (space - 1)) | 2;
}

static int real_poll(struct pollfd* descriptors, nfds_t count, int milliseconds) {
  const struct timespec length = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  static int (*real)(struct pollfd*, nfds_t, const struct timespec*, const sigset_t*);
  if (real == NULL)
    real = (int (*)(struct pollfd*, nfds_t, const struct timespec*, const sigset_t*))(uintptr_t)heddle_real("ppoll");
  return real(descriptors, count, milliseconds < 0 ? NULL : &length, NULL);
}

int heddle_poll_now(struct pollfd* one) { return real_poll(one, 1, 0) != 0; }
static int is_ready(void* one) { return heddle_poll_now(one); }

void heddle_stop_for(uint64_t object, int (*ready)(void*), void* what) {
  if (heddle_goes_freely()) return;
  heddle_self->is_ready = ready;
  heddle_self->waits_for = what;
  heddle_stop_before(HEDDLE_OP_DESCRIPTOR, object, 0);
  heddle_machine.left_traces = 1;
}

void heddle_stop_at_point_for(uint64_t object, int (*ready)(void*), void* what) {
  if (heddle_goes_freely()) return;
  heddle_self->is_ready = ready;
  heddle_self->waits_for = what;
  if (heddle_stop_at_point(HEDDLE_OP_DESCRIPTOR, object, 0, 0)) heddle_end_cancelled();
  heddle_machine.left_traces = 1;
}

/* What the operation just made may order: a file keeps no order, a channel passes it on. */
void heddle_order_by(uint64_t object, int gives, int takes) {
  if (!heddle_is_controlled()) return;
  const void* const name = (const void*)(uintptr_t)object;
  if (object != heddle_channels) return heddle_add_sync(HEDDLE_DEED_USES, name, 0);
  if (takes) heddle_add_sync(HEDDLE_DEED_ACQUIRE, name, 0);
  if (gives) heddle_add_sync(HEDDLE_DEED_RELEASE, name, 0);
}

/* A call on it may wait, unless it says itself that it does not. */
static int may_wait(int descriptor, int never) {
  const int flags = fcntl(descriptor, F_GETFL);
  return !never && (flags < 0 || (flags & O_NONBLOCK) == 0);
}

/* The calling thread stands before an operation on it. `events`: for which it waits. */
static uint64_t stop_at(int descriptor, short events, int never_waits) {
  if (heddle_goes_freely()) return space;
  const uint64_t object = heddle_object_of_descriptor(descriptor);
  struct pollfd one = {descriptor, events, 0};
  heddle_stop_at_point_for(object, events != 0 && may_wait(descriptor, never_waits) ? is_ready : NULL, &one);
  return object;
}
/* The same for calls that are no cancellation points. */
static uint64_t stop_briefly_at(int descriptor) {
  if (heddle_goes_freely()) return space;
  const uint64_t object = heddle_object_of_descriptor(descriptor);
  heddle_stop_for(object, NULL, NULL);
  return object;
}

/* The same before it reads `count` bytes, which is then how many it shall read. */
static uint64_t stop_to_read(int descriptor, size_t* count, int never_waits) {
  if (heddle_goes_freely()) return space;
  const uint64_t object = heddle_object_of_descriptor(descriptor);
  struct heddle_arrival arrival;
  heddle_stop_at_point_for(object, heddle_expect(&arrival, descriptor, *count, may_wait(descriptor, never_waits)), &arrival);
  *count = heddle_take_arrived(&arrival);
  return object;
}

/* `waits`: for these events, unless `never`. A call that gives passes on what its thread did, one that takes gets it. */
#define FORWARD(type, name, parameters, types, arguments, stop, gives, takes) \
  HEDDLE_EXPORT type name parameters {                                        \
    static type(*real) types;                                                 \
    if (real == NULL) real = (type(*) types)(uintptr_t)heddle_real(#name);    \
    const uint64_t object = stop;                                             \
    heddle_order_by(object, gives, 0);                                        \
    const type result = real arguments;                                       \
    const int error = errno;                                                  \
    heddle_order_by(object, 0, takes);                                        \
    errno = error;                                                            \
    return result;                                                            \
  }
#define READS(type, name, parameters, types, arguments, never) \
  FORWARD(type, name, parameters, types, arguments, stop_at(fd, POLLIN, never), 0, 1)
#define READS_BYTES(name, parameters, types, arguments, never) \
  FORWARD(ssize_t, name, parameters, types, arguments, stop_to_read(fd, &n, never), 0, 1)
#define WRITES(type, name, parameters, types, arguments, never) \
  FORWARD(type, name, parameters, types, arguments, stop_at(fd, POLLOUT, never), 1, 0)
#define CHANGES(type, name, parameters, types, arguments) \
  FORWARD(type, name, parameters, types, arguments, stop_at(fd, 0, 1), 1, 1)
#define ADJUSTS(type, name, parameters, types, arguments) \
  FORWARD(type, name, parameters, types, arguments, stop_briefly_at(fd), 1, 1)

READS_BYTES(read, (int fd, void* to, size_t n), (int, void*, size_t), (fd, to, n), 0)
READS(ssize_t, readv, (int fd, const struct iovec* v, int n), (int, const struct iovec*, int), (fd, v, n), 0)
READS_BYTES(recv, (int fd, void* to, size_t n, int f), (int, void*, size_t, int), (fd, to, n, f), f & MSG_DONTWAIT)
READS_BYTES(
    recvfrom, (int fd, void* restrict to, size_t n, int f, struct sockaddr* restrict a, socklen_t* restrict l),
    (int, void*, size_t, int, struct sockaddr*, socklen_t*), (fd, to, n, f, a, l), f & MSG_DONTWAIT)
READS(ssize_t, recvmsg, (int fd, struct msghdr* m, int f), (int, struct msghdr*, int), (fd, m, f), f & MSG_DONTWAIT)
READS(int, accept, (int fd, struct sockaddr* restrict a, socklen_t* restrict l), (int, struct sockaddr*, socklen_t*),
      (fd, a, l), 0)
READS(int, accept4, (int fd, struct sockaddr* restrict a, socklen_t* restrict l, int f),
      (int, struct sockaddr*, socklen_t*, int), (fd, a, l, f), 0)
WRITES(ssize_t, writev, (int fd, const struct iovec* v, int n), (int, const struct iovec*, int), (fd, v, n), 0)
WRITES(ssize_t, sendto, (int fd, const void* from, size_t n, int f, const struct sockaddr* a, socklen_t l),
       (int, const void*, size_t, int, const struct sockaddr*, socklen_t), (fd, from, n, f, a, l), f & MSG_DONTWAIT)
WRITES(ssize_t, sendmsg, (int fd, const struct msghdr* m, int f), (int, const struct msghdr*, int), (fd, m, f),
       f & MSG_DONTWAIT)
ADJUSTS(int, shutdown, (int fd, int how), (int, int), (fd, how))
CHANGES(int, connect, (int fd, const struct sockaddr* a, socklen_t l), (int, const struct sockaddr*, socklen_t),
        (fd, a, l))
ADJUSTS(int, listen, (int fd, int n), (int, int), (fd, n))
CHANGES(ssize_t, pread, (int fd, void* to, size_t n, off_t at), (int, void*, size_t, off_t), (fd, to, n, at))
CHANGES(ssize_t, pwrite, (int fd, const void* from, size_t n, off_t at), (int, const void*, size_t, off_t),
        (fd, from, n, at))
ADJUSTS(off_t, lseek, (int fd, off_t at, int from), (int, off_t, int), (fd, at, from))
ADJUSTS(int, ftruncate, (int fd, off_t size), (int, off_t), (fd, size))
CHANGES(ssize_t, pread64, (int fd, void* to, size_t n, off64_t at), (int, void*, size_t, off64_t), (fd, to, n, at))
CHANGES(ssize_t, pwrite64, (int fd, const void* from, size_t n, off64_t at), (int, const void*, size_t, off64_t),
        (fd, from, n, at))
ADJUSTS(off64_t, lseek64, (int fd, off64_t at, int from), (int, off64_t, int), (fd, at, from))

/* Sockets lead to others, for whom two workers are two. */
HEDDLE_EXPORT int socket(int domain, int type, int protocol) {
  static int (*real)(int, int, int);
  if (real == NULL) real = (int (*)(int, int, int))(uintptr_t)heddle_real("socket");
  heddle_machine.acts_outside = 1;
  return real(domain, type, protocol);
}

/* The kernel would wait inside of a write that does not fit, and nobody could make room: so it goes in parts. */
enum { part_of_pipe = 4096 };
static ssize_t write_part(int fd, const char* from, size_t count, int flags) {
  static ssize_t (*real)(int, const void*, size_t);
  static ssize_t (*real_send)(int, const void*, size_t, int);
  if (real == NULL) real = (ssize_t(*)(int, const void*, size_t))(uintptr_t)heddle_real("write");
  if (real_send == NULL) real_send = (ssize_t(*)(int, const void*, size_t, int))(uintptr_t)heddle_real("send");
  const int mode = fcntl(fd, F_GETFL);
  const int waits = mode >= 0 && (mode & O_NONBLOCK) == 0 && (flags < 0 || (flags & MSG_DONTWAIT) == 0);
  const uint64_t object = stop_at(fd, POLLOUT, !waits);
  heddle_order_by(object, 1, 0);
  if (flags >= 0) return real_send(fd, from, count, heddle_is_controlled() ? flags | MSG_DONTWAIT : flags);
  const int is_channel = heddle_is_controlled() && object == heddle_channels && waits;
  return real(fd, from, is_channel && count > part_of_pipe ? part_of_pipe : count);
}

/* `flags` negative: no socket's. */
static ssize_t write_all(int fd, const char* from, size_t count, int flags) {
  size_t done = 0;
  for (;;) {
    const ssize_t part = write_part(fd, from + done, count - done, flags);
    if (part < 0 && errno == EAGAIN && flags >= 0 && (flags & MSG_DONTWAIT) == 0 && heddle_is_controlled() &&
        (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0)
      continue;
    if (part <= 0) return done > 0 ? (ssize_t)done : part;
    done += (size_t)part;
    const int is_short = flags < 0 && part != part_of_pipe;
    if (!heddle_is_controlled() || done >= count || is_short || (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0)
      return (ssize_t)done;
  }
}
HEDDLE_EXPORT ssize_t write(int fd, const void* from, size_t count) { return write_all(fd, from, count, -1); }
HEDDLE_EXPORT ssize_t send(int fd, const void* from, size_t count, int flags) {
  return write_all(fd, from, count, flags);
}

/* What the program does to its first descriptors is undone at a restart. */
HEDDLE_EXPORT int close(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))(uintptr_t)heddle_real("close");
  if (!heddle_is_controlled()) return real(fd);
  if (heddle_is_own_descriptor(fd)) {
    errno = EBADF;
    return -1;
  }
  heddle_note_moved_descriptor();
  const uint64_t object = stop_at(fd, 0, 1);
  heddle_order_by(object, 1, 1);
  return real(fd);
}
HEDDLE_EXPORT int close_range(unsigned first, unsigned last, int flags) {
  const unsigned end = 1024; /* none of the program's is higher, or it is closed at a restart */
  if (!heddle_is_controlled()) return (int)syscall(SYS_close_range, first, last, flags);
  for (unsigned i = first; i <= last && i < end; ++i)
    if (fcntl((int)i, F_GETFD) >= 0) close((int)i);
  return 0;
}
HEDDLE_EXPORT void closefrom(int first) { close_range((unsigned)first, ~0u, 0); }
HEDDLE_EXPORT int dup3(int from, int fd, int flags) {
  static int (*real)(int, int, int);
  if (real == NULL) real = (int (*)(int, int, int))(uintptr_t)heddle_real("dup3");
  if (heddle_is_controlled()) heddle_note_moved_descriptor();
  if (heddle_is_controlled()) stop_briefly_at(fd);
  return real(from, fd, flags);
}
HEDDLE_EXPORT int dup2(int from, int fd) {
  if (from != fd) return dup3(from, fd, 0);
  return fcntl(fd, F_GETFD) < 0 ? -1 : fd;
}

int heddle_wait_for(const struct heddle_thread* thread, int milliseconds) {
  const long longest = 1000000;
  long pause = 20000;
  for (long waited = 0; waited < milliseconds * 1000000L; waited += pause) {
    if (thread->is_ready == NULL || thread->is_ready(thread->waits_for)) return 1;
    const struct timespec length = {0, pause};
    syscall(SYS_nanosleep, &length, NULL); /* of the machine's time */
    if (pause < longest) pause *= 2;
  }
  return 0;
}

/* With no thread able to go on: until the outside makes ready what one waits for. True: there is one. */
int heddle_wait_outside(int milliseconds) {
  for (int waited = 0; waited < milliseconds; ++waited) {
    int may_come = 0;
    for (uint32_t i = 0; i < heddle_machine.thread_count; ++i) {
      const struct heddle_thread* const thread = &heddle_threads[i];
      if (thread->view.op != HEDDLE_OP_DESCRIPTOR || heddle_waits_for_signal(thread)) continue;
      if (heddle_wait_for(thread, 1)) return 1;
      may_come = 1;
    }
    if (!may_come) return 0;
  }
  return 0;
}
