/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Waits for several descriptors: poll, select, epoll. They may end when one is ready; one with a time may end at any
 * moment.
 */
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "runtime.h"

/* The calling thread stands before it. `ask` looks without waiting, and takes nothing away. */
static void stop_at_wait(int is_endless, int (*ask)(void*), void* what) {
  heddle_stop_at_point_for(heddle_channels, is_endless ? ask : NULL, what);
}

struct polled {
  struct pollfd* descriptors;
  nfds_t count;
};
static int (*real_poll)(struct pollfd*, nfds_t, int);
static int ask_poll(void* what) {
  const struct polled* const all = what;
  return real_poll(all->descriptors, all->count, 0) != 0;
}
HEDDLE_EXPORT int poll(struct pollfd* descriptors, nfds_t count, int timeout) {
  if (real_poll == NULL) real_poll = (int (*)(struct pollfd*, nfds_t, int))(uintptr_t)heddle_real("poll");
  if (heddle_goes_freely()) return real_poll(descriptors, count, timeout);
  struct polled all = {descriptors, count};
  stop_at_wait(timeout < 0, ask_poll, &all);
  const int found = real_poll(descriptors, count, heddle_is_controlled() ? 0 : timeout);
  heddle_order_by(heddle_channels, 0, found > 0);
  if (found == 0 && timeout > 0) heddle_sleep((uint64_t)timeout * 1000000u);
  return found;
}
static int milliseconds_of(const struct timespec* length) {
  return length == NULL ? -1 : length->tv_sec == 0 && length->tv_nsec == 0 ? 0 : (int)(length->tv_sec * 1000 + 1);
}
HEDDLE_EXPORT int ppoll(struct pollfd* descriptors, nfds_t count, const struct timespec* length, const sigset_t* mask) {
  (void)mask;
  return poll(descriptors, count, milliseconds_of(length));
}

static int (*real_epoll_wait)(int, struct epoll_event*, int, int);
static int ask_descriptor(void* what) { return real_poll(what, 1, 0) != 0; }
HEDDLE_EXPORT int epoll_wait(int descriptor, struct epoll_event* events, int most, int timeout) {
  if (real_poll == NULL) real_poll = (int (*)(struct pollfd*, nfds_t, int))(uintptr_t)heddle_real("poll");
  if (real_epoll_wait == NULL)
    real_epoll_wait = (int (*)(int, struct epoll_event*, int, int))(uintptr_t)heddle_real("epoll_wait");
  if (heddle_goes_freely()) return real_epoll_wait(descriptor, events, most, timeout);
  struct pollfd itself = {descriptor, POLLIN, 0};
  stop_at_wait(timeout < 0, ask_descriptor, &itself);
  const int found = real_epoll_wait(descriptor, events, most, heddle_is_controlled() ? 0 : timeout);
  heddle_order_by(heddle_channels, 0, found > 0);
  if (found == 0 && timeout > 0) heddle_sleep((uint64_t)timeout * 1000000u);
  return found;
}
HEDDLE_EXPORT int epoll_pwait(int descriptor, struct epoll_event* events, int most, int timeout, const sigset_t* mask) {
  (void)mask;
  return epoll_wait(descriptor, events, most, timeout);
}
HEDDLE_EXPORT int epoll_pwait2(int descriptor, struct epoll_event* events, int most, const struct timespec* length,
                               const sigset_t* mask) {
  (void)mask;
  return epoll_wait(descriptor, events, most, milliseconds_of(length));
}

struct selected {
  int count;
  fd_set *reads, *writes, *errors;
};
static int (*real_select)(int, fd_set*, fd_set*, fd_set*, struct timeval*);
static int ask_select(void* what) {
  const struct selected* const all = what;
  fd_set reads, writes, errors;
  if (all->reads != NULL) reads = *all->reads;
  if (all->writes != NULL) writes = *all->writes;
  if (all->errors != NULL) errors = *all->errors;
  struct timeval none = {0, 0};
  return real_select(all->count, all->reads ? &reads : NULL, all->writes ? &writes : NULL,
                     all->errors ? &errors : NULL, &none) != 0;
}
HEDDLE_EXPORT int select(int count, fd_set* restrict reads, fd_set* restrict writes, fd_set* restrict errors,
                         struct timeval* restrict timeout) {
  if (real_select == NULL)
    real_select = (int (*)(int, fd_set*, fd_set*, fd_set*, struct timeval*))(uintptr_t)heddle_real("select");
  if (heddle_goes_freely()) return real_select(count, reads, writes, errors, timeout);
  struct selected all = {count, reads, writes, errors};
  stop_at_wait(timeout == NULL, ask_select, &all);
  struct timeval none = {0, 0};
  const int found = real_select(count, reads, writes, errors, heddle_is_controlled() ? &none : timeout);
  heddle_order_by(heddle_channels, 0, found > 0);
  if (found == 0 && timeout != NULL)
    heddle_sleep((uint64_t)timeout->tv_sec * 1000000000u + (uint64_t)timeout->tv_usec * 1000u);
  return found;
}
HEDDLE_EXPORT int pselect(int count, fd_set* restrict reads, fd_set* restrict writes, fd_set* restrict errors,
                          const struct timespec* restrict length, const sigset_t* restrict mask) {
  (void)mask;
  struct timeval time = {0, 0};
  if (length != NULL) time = (struct timeval){length->tv_sec, length->tv_nsec / 1000};
  return select(count, reads, writes, errors, length == NULL ? NULL : &time);
}
