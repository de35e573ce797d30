/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program does to the world that another copy of it would feel: files written, made or removed, connections.
 * Two workers of one program run at the same time only if it does none of this.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime.h"

static void act(void) { heddle_machine.acts_outside = 1; }

/* Devices are nobody's, or everybody's anyway. */
static int is_device(const char* path) { return path != NULL && strncmp(path, "/dev/", 5) == 0; }

static void note_open(const char* path, int flags) {
  if ((flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0 && !is_device(path)) act();
}

#define REAL(type, name, types)       \
  static type(*real) types;           \
  if (real == NULL) real = (type(*) types)(uintptr_t)heddle_real(name)

#define OPEN(name)                                               \
  HEDDLE_EXPORT int name(const char* path, int flags, ...) {     \
    REAL(int, #name, (const char*, int, ...));                   \
    va_list arguments;                                           \
    va_start(arguments, flags);                                  \
    const mode_t mode = va_arg(arguments, mode_t);               \
    va_end(arguments);                                           \
    note_open(path, flags);                                      \
    return real(path, flags, mode);                              \
  }
#define OPEN_AT(name)                                                  \
  HEDDLE_EXPORT int name(int folder, const char* path, int flags, ...) { \
    REAL(int, #name, (int, const char*, int, ...));                    \
    va_list arguments;                                                 \
    va_start(arguments, flags);                                        \
    const mode_t mode = va_arg(arguments, mode_t);                     \
    va_end(arguments);                                                 \
    note_open(path, flags);                                            \
    return real(folder, path, flags, mode);                            \
  }
#define FILE_OPEN(name)                                                \
  HEDDLE_EXPORT FILE* name(const char* path, const char* mode) {       \
    REAL(FILE*, #name, (const char*, const char*));                    \
    if (strpbrk(mode, "wa+") != NULL && !is_device(path)) act();       \
    return real(path, mode);                                           \
  }
#define ACTS(type, name, parameters, types, arguments) \
  HEDDLE_EXPORT type name parameters {                 \
    REAL(type, #name, types);                          \
    act();                                             \
    return real arguments;                             \
  }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
FILE_OPEN(fopen)
FILE_OPEN(fopen64)
ACTS(int, creat, (const char* path, mode_t mode), (const char*, mode_t), (path, mode))
ACTS(int, creat64, (const char* path, mode_t mode), (const char*, mode_t), (path, mode))
ACTS(FILE*, freopen, (const char* path, const char* mode, FILE* file), (const char*, const char*, FILE*),
     (path, mode, file))
ACTS(FILE*, tmpfile, (void), (void), ())
ACTS(int, mkstemp, (char* pattern), (char*), (pattern))
ACTS(int, mkstemp64, (char* pattern), (char*), (pattern))
ACTS(int, mkostemp, (char* pattern, int flags), (char*, int), (pattern, flags))
ACTS(char*, mkdtemp, (char* pattern), (char*), (pattern))
ACTS(int, unlink, (const char* path), (const char*), (path))
ACTS(int, unlinkat, (int folder, const char* path, int flags), (int, const char*, int), (folder, path, flags))
ACTS(int, remove, (const char* path), (const char*), (path))
ACTS(int, rename, (const char* from, const char* to), (const char*, const char*), (from, to))
ACTS(int, renameat, (int a, const char* from, int b, const char* to), (int, const char*, int, const char*),
     (a, from, b, to))
ACTS(int, mkdir, (const char* path, mode_t mode), (const char*, mode_t), (path, mode))
ACTS(int, rmdir, (const char* path), (const char*), (path))
ACTS(int, link, (const char* from, const char* to), (const char*, const char*), (from, to))
ACTS(int, symlink, (const char* from, const char* to), (const char*, const char*), (from, to))
ACTS(int, truncate, (const char* path, off_t size), (const char*, off_t), (path, size))
ACTS(int, bind, (int socket, const struct sockaddr* address, socklen_t length),
     (int, const struct sockaddr*, socklen_t), (socket, address, length))
ACTS(int, connect, (int socket, const struct sockaddr* address, socklen_t length),
     (int, const struct sockaddr*, socklen_t), (socket, address, length))
