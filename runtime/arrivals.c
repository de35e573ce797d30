/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bytes that come from outside, through a stream: from a server, say, that another process is. When they come, and how
 * many at once, is nobody's choice, and no restart brings it back. So a read waits a little for them, takes what has
 * come when nothing more comes, and gets as much whenever the same thread makes the same read again:
 *
 *   T1: recv(s, to, 4096)      1 460 bytes are there, 2 ms later 3 000, and no more: 3 000, this time and the next
 *
 * A network may behave like this. Sockets between threads of the program need nothing of it: nobody sends while others
 * run.
 */
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#include "runtime.h"

enum { most_reads = 1 << 14, nothing_came = 0, most_sockets = 256 };
static const long patience = 100, quiet = 4; /* milliseconds */

/* Lies where a restart leaves it. By thread, and how far it had come. */
static struct read_before {
  uint64_t progress;
  uint32_t thread; /* and one; 0: a free row */
  uint32_t count;
}* reads;

void heddle_set_up_arrivals(void) { reads = heddle_map(most_reads * sizeof *reads); }

static struct read_before* row_of(const struct heddle_arrival* arrival) {
  uint64_t at = (arrival->progress * 0x9e3779b97f4a7c15u ^ arrival->thread * 0xc2b2ae3d27d4eb4fu) >> 40;
  for (int i = 0; i < 64; ++i, ++at) {
    struct read_before* const row = &reads[at % most_reads];
    if (row->thread == 0 || (row->thread == arrival->thread + 1 && row->progress == arrival->progress)) return row;
  }
  return NULL;
}

static void remember(const struct heddle_arrival* arrival, size_t count) {
  struct read_before* const row = row_of(arrival);
  if (row != NULL) *row = (struct read_before){arrival->progress, arrival->thread + 1, (uint32_t)count};
}

static int is_same(const struct sockaddr_storage* a, const struct sockaddr_storage* b) {
  if (a->ss_family != b->ss_family) return 0;
  if (a->ss_family == AF_INET) {
    const struct sockaddr_in *x = (const void*)a, *y = (const void*)b;
    return x->sin_port == y->sin_port && x->sin_addr.s_addr == y->sin_addr.s_addr;
  }
  const struct sockaddr_in6 *x = (const void*)a, *y = (const void*)b;
  return x->sin6_port == y->sin6_port && memcmp(&x->sin6_addr, &y->sin6_addr, sizeof x->sin6_addr) == 0;
}

/* A stream to somebody who is not this program. */
static int comes_from_outside(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  struct sockaddr_storage peer, own;
  socklen_t length = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM) return 0;
  if (getpeername(fd, (struct sockaddr*)&peer, &length) != 0) return 0;
  if (peer.ss_family != AF_INET && peer.ss_family != AF_INET6) return 0;
  for (int i = 0; i < most_sockets; ++i) {
    length = sizeof own;
    if (getsockname(i, (struct sockaddr*)&own, &length) == 0 && is_same(&own, &peer)) return 0;
  }
  return 1;
}

static size_t bytes_there(int fd) {
  int count = 0;
  return ioctl(fd, FIONREAD, &count) == 0 && count > 0 ? (size_t)count : 0;
}

static void pause_for(long milliseconds) {
  const struct timespec length = {0, milliseconds * 1000000L};
  heddle_syscall(SYS_nanosleep, &length, NULL); /* of the machine's time */
}

/* So many of the bytes, or the end. Its first wait is long enough for an answer that is on its way. */
static int waits_for(const struct heddle_arrival* arrival, size_t count, long milliseconds) {
  for (long waited = 0;; ++waited) {
    struct pollfd one = {arrival->poll.fd, POLLIN | POLLRDHUP, 0};
    heddle_poll_now(&one);
    if ((one.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0 || bytes_there(arrival->poll.fd) >= count) return 1;
    if (waited >= milliseconds) return 0;
    pause_for(1);
  }
}

static int has_come(void* what) {
  struct heddle_arrival* const arrival = what;
  if (!arrival->is_outside) return heddle_poll_now(&arrival->poll) != 0;
  const struct read_before* const row = row_of(arrival);
  const int was_read = row != NULL && row->thread != 0;
  const size_t least = was_read && row->count > 1 ? row->count : 1;
  if (waits_for(arrival, least, was_read && row->count == nothing_came ? 0 : patience)) return 1;
  if (!was_read) remember(arrival, nothing_came);
  return bytes_there(arrival->poll.fd) > 0;
}

int (*heddle_expect(struct heddle_arrival* arrival, int fd, size_t wanted, int waits))(void*) {
  arrival->poll = (struct pollfd){fd, POLLIN, 0};
  arrival->wanted = wanted;
  if (reads == NULL) heddle_set_up_arrivals(); /* with threads of the system */
  arrival->is_outside = heddle_is_controlled() && waits && wanted > 0 && comes_from_outside(fd);
  if (!heddle_is_controlled()) return NULL;
  arrival->thread = (uint32_t)(heddle_self - heddle_threads);
  arrival->progress = heddle_self->view.progress;
  return waits ? has_come : NULL;
}

size_t heddle_take_arrived(struct heddle_arrival* arrival) {
  if (!arrival->is_outside) return arrival->wanted;
  const struct read_before* const row = row_of(arrival);
  size_t there = bytes_there(arrival->poll.fd);
  if (row != NULL && row->thread != 0 && row->count != nothing_came && there >= row->count)
    return row->count < arrival->wanted ? row->count : arrival->wanted;
  for (long still = 0; still < quiet && there < arrival->wanted; ++still) {
    pause_for(1);
    const size_t now = bytes_there(arrival->poll.fd);
    if (now != there) still = -1;
    there = now;
  }
  const size_t taken = there == 0 || there > arrival->wanted ? arrival->wanted : there;
  remember(arrival, there == 0 ? 1 : taken);
  return taken;
}
