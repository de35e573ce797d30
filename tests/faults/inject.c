// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A broken machine, preloaded: the N-th call of one kind that heddle makes fails, or that one and all behind it. Calls
// are counted over all of its processes, in a file that they share; programs that it starts are left alone.
//
//   FAULT_KIND=write FAULT_NUMBER=7 FAULT_ERRNO=28 FAULT_STICKY=0 FAULT_COUNT=FILE LD_PRELOAD=./inject.so heddle scan
//
// The file holds two 64-bit numbers: calls, and calls that failed. Number 0 only counts.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct counts {
  uint64_t calls, failed;
};

static struct counts* counts;
static const char* kind;
static uint64_t number;
static int failure, is_sticky;

__attribute__((constructor(101))) static void begin(void) {
  const char* file = getenv("FAULT_COUNT");
  if (file == NULL || strcmp(program_invocation_short_name, "heddle") != 0) return;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return;
  void* shared = (void*)syscall(SYS_mmap, NULL, sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (shared == MAP_FAILED) return;
  number = strtoull(getenv("FAULT_NUMBER"), NULL, 10);
  failure = atoi(getenv("FAULT_ERRNO"));
  is_sticky = atoi(getenv("FAULT_STICKY"));
  kind = getenv("FAULT_KIND");
  counts = shared;
}

static int fails(const char* what) {
  if (counts == NULL || strcmp(kind, what) != 0) return 0;
  const uint64_t call = __atomic_add_fetch(&counts->calls, 1, __ATOMIC_RELAXED);
  if (number == 0 || call < number || (call > number && !is_sticky)) return 0;
  __atomic_add_fetch(&counts->failed, 1, __ATOMIC_RELAXED);
  errno = failure;
  return 1;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define WRAP(type, name, what, failed, parameters, ...) \
  type name parameters { \
    REAL(name); \
    return fails(what) ? failed : real(__VA_ARGS__); \
  }

WRAP(ssize_t, read, "read", -1, (int f, void* b, size_t n), f, b, n)
WRAP(ssize_t, pread, "read", -1, (int f, void* b, size_t n, off_t o), f, b, n, o)
WRAP(ssize_t, pread64, "read", -1, (int f, void* b, size_t n, off64_t o), f, b, n, o)
WRAP(ssize_t, recv, "read", -1, (int f, void* b, size_t n, int g), f, b, n, g)
WRAP(ssize_t, pwrite, "write", -1, (int f, const void* b, size_t n, off_t o), f, b, n, o)
WRAP(ssize_t, pwrite64, "write", -1, (int f, const void* b, size_t n, off64_t o), f, b, n, o)
WRAP(ssize_t, writev, "write", -1, (int f, const struct iovec* v, int n), f, v, n)
WRAP(ssize_t, pwritev, "write", -1, (int f, const struct iovec* v, int n, off_t o), f, v, n, o)
WRAP(ssize_t, send, "write", -1, (int f, const void* b, size_t n, int g), f, b, n, g)
WRAP(int, fsync, "sync", -1, (int f), f)
WRAP(int, fdatasync, "sync", -1, (int f), f)
WRAP(int, rename, "rename", -1, (const char* a, const char* b), a, b)
WRAP(int, mkdir, "rename", -1, (const char* p, mode_t m), p, m)
WRAP(int, stat, "stat", -1, (const char* p, struct stat* s), p, s)
WRAP(int, lstat, "stat", -1, (const char* p, struct stat* s), p, s)
WRAP(int, fstat, "stat", -1, (int f, struct stat* s), f, s)
WRAP(int, fstatat, "stat", -1, (int f, const char* p, struct stat* s, int g), f, p, s, g)
WRAP(FILE*, fopen, "open", NULL, (const char* p, const char* m), p, m)
WRAP(FILE*, fopen64, "open", NULL, (const char* p, const char* m), p, m)
WRAP(int, mkostemps, "open", -1, (char* p, int n, int g), p, n, g)
WRAP(int, mkostemp, "open", -1, (char* p, int g), p, g)
WRAP(int, pipe2, "open", -1, (int e[2], int g), e, g)
WRAP(int, socketpair, "open", -1, (int d, int t, int p, int e[2]), d, t, p, e)
WRAP(void*, mmap, "mmap", MAP_FAILED, (void* a, size_t n, int p, int g, int f, off_t o), a, n, p, g, f, o)
WRAP(void*, mmap64, "mmap", MAP_FAILED, (void* a, size_t n, int p, int g, int f, off64_t o), a, n, p, g, f, o)
WRAP(pid_t, fork, "fork", -1, (void), )

/// To a terminal or a pipe of the test itself: what is said must be heard.
ssize_t write(int file, const void* bytes, size_t size) {
  REAL(write);
  return file > 2 && fails("write") ? -1 : real(file, bytes, size);
}

static int opened(const char* what, int (*real)(const char*, int, ...), const char* path, int flags, mode_t mode) {
  return fails(what) ? -1 : real(path, flags, mode);
}

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

#define WRAP_OPEN(name) \
  int name(const char* path, int flags, ...) { \
    va_list arguments; \
    va_start(arguments, flags); \
    const mode_t mode = mode_of(flags, arguments); \
    va_end(arguments); \
    REAL(name); \
    return opened("open", (int (*)(const char*, int, ...))real, path, flags, mode); \
  }
WRAP_OPEN(open)
WRAP_OPEN(open64)

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  REAL(openat);
  return fails("open") ? -1 : real(folder, path, flags, mode);
}

int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  REAL(posix_spawnp);
  return fails("fork") ? failure : real(pid, file, actions, attributes, arguments, environment);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument) {
  REAL(pthread_create);
  return fails("thread") ? failure : real(thread, attributes, work, argument);
}

// dlsym itself may allocate: what it gets before the real functions are known is never given back.
static char early[1 << 16];
static size_t early_used;
static void* take_early(size_t size) {
  const size_t at = __atomic_fetch_add(&early_used, (size + 31) & ~(size_t)31, __ATOMIC_RELAXED);
  return at + size <= sizeof early ? early + at : NULL;
}
static int is_early(const void* memory) { return (const char*)memory >= early && (const char*)memory < early + sizeof early; }

static void* (*real_malloc)(size_t);
static void* (*real_calloc)(size_t, size_t);
static void* (*real_realloc)(void*, size_t);
static void (*real_free)(void*);
static int is_looking;

static void look(void) {
  if (real_free != NULL || is_looking) return;
  is_looking = 1;
  real_malloc = (void* (*)(size_t))dlsym(RTLD_NEXT, "malloc");
  real_calloc = (void* (*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
  real_realloc = (void* (*)(void*, size_t))dlsym(RTLD_NEXT, "realloc");
  real_free = (void (*)(void*))dlsym(RTLD_NEXT, "free");
  is_looking = 0;
}

void* malloc(size_t size) {
  look();
  if (real_malloc == NULL) return take_early(size);
  return fails("malloc") ? NULL : real_malloc(size);
}

void* calloc(size_t count, size_t size) {
  look();
  if (real_calloc == NULL) return take_early(count * size);
  return fails("malloc") ? NULL : real_calloc(count, size);
}

void* realloc(void* memory, size_t size) {
  look();
  if (is_early(memory)) {
    void* moved = malloc(size);
    return moved == NULL ? NULL : memcpy(moved, memory, size);
  }
  return fails("malloc") ? NULL : real_realloc(memory, size);
}

void free(void* memory) {
  if (memory == NULL || is_early(memory)) return;
  look();
  real_free(memory);
}

void* aligned_alloc(size_t alignment, size_t size) {
  REAL(aligned_alloc);
  return fails("malloc") ? NULL : real(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
  REAL(posix_memalign);
  return fails("malloc") ? ENOMEM : real(memory, alignment, size);
}
