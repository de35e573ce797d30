// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How records get into the log, for the preload library (C) and for `heddle cc` (C++). A record that does not get
// there, whole, must not be missed silently: the socket of the heddle that waits for the build is told, which needs
// neither room on a disk nor the rights of a user; where there is no way to it, the mode of the log says so.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "record.h"

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/// FNV-1a over what is behind the header.
static inline uint32_t heddle_checksum(const void* bytes, size_t size) {
  const unsigned char* at = (const unsigned char*)bytes;
  uint32_t hash = UINT32_C(2166136261);
  for (size_t i = 0; i < size; ++i) hash = (hash ^ at[i]) * UINT32_C(16777619);
  return hash;
}

/// `name` in the namespace of sockets that are no files. 0: it does not fit.
static inline socklen_t heddle_socket_address(struct sockaddr_un* address, const char* name) {
  const size_t length = strlen(name);
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (length == 0 || length + 1 > sizeof address->sun_path) return 0;
  memcpy(address->sun_path + 1, name, length);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

/// Says that a record is missing, because of `failure` (errno). `log`: the open log, or -1.
static inline void heddle_note_lost(int failure, int log) {
  const char* name = getenv(HEDDLE_LOST_VARIABLE);
  struct sockaddr_un address;
  const socklen_t size = name == NULL ? 0 : heddle_socket_address(&address, name);
  const int32_t number = failure;
  const int sender = size == 0 ? -1 : socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  // A full queue holds such notes already.
  const int is_told = sender >= 0 && (sendto(sender, &number, sizeof number, MSG_NOSIGNAL,
                                             (const struct sockaddr*)&address, size) >= 0 ||
                                      errno == EAGAIN);
  if (sender >= 0) close(sender);
  if (is_told) return;
  if (log >= 0)
    (void)!fchmod(log, HEDDLE_INCOMPLETE_MODE);
  else if (getenv(HEDDLE_LOG_VARIABLE) != NULL)
    (void)!chmod(getenv(HEDDLE_LOG_VARIABLE), HEDDLE_INCOMPLETE_MODE);
}

/// One record, or several, in one piece. Says so if they are not there, whole.
static inline void heddle_append_records(const char* log, const char* bytes, size_t size) {
  const int file = open(log, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) {
    heddle_note_lost(errno, -1);
    return;
  }
  // A limit for the size of files would otherwise end the compiler.
  struct sigaction ignore, before;
  memset(&ignore, 0, sizeof ignore);
  ignore.sa_handler = SIG_IGN;
  const int is_ignored = sigaction(SIGXFSZ, &ignore, &before) == 0;
  ssize_t written = -1;
  do {
    written = write(file, bytes, size);
  } while (written < 0 && errno == EINTR);
  const int is_short = written >= 0 && (size_t)written != size;
  // The rest fails for the reason why it did not fit. If it does not, others may have written in between.
  const int failure =
      written < 0 || (is_short && write(file, bytes + written, size - (size_t)written) < 0) ? errno : EIO;
  if (is_ignored) sigaction(SIGXFSZ, &before, NULL);
  if (written < 0 || is_short) heddle_note_lost(failure, file);
  close(file);
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif
