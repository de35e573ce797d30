/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory that the program maps itself. Each thread gets addresses of its own, the same ones in every execution, and a
 * restart takes the mappings away. Where the program says the address, or changes a mapping that it was started with,
 * one execution leaves something for the next: nothing is proved then.
 */
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime.h"

enum { most_mapped = 4096, page = 4096 };
static const size_t room_of_thread = (size_t)1 << 33;

/* A restart leaves it. */
static struct heddle_mapped {
  char* room; /* for all threads, one behind the other */
  unsigned count;
  struct {
    char* begin;
    size_t size;
  } all[most_mapped];
} mapped;

void heddle_set_up_mappings(void) {
  heddle_keep(&mapped, sizeof mapped);
  mapped.room = mmap((void*)0x20000000000, room_of_thread * HEDDLE_MOST_THREADS, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped.room == MAP_FAILED) heddle_fail("no address space for mappings");
}

void heddle_restart_mappings(void) {
  for (unsigned i = 0; i < mapped.count; ++i)
    syscall(SYS_mmap, mapped.all[i].begin, mapped.all[i].size, PROT_NONE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0L);
  mapped.count = 0;
}

static size_t in_pages(size_t size) { return (size + page - 1) & ~(size_t)(page - 1); }

static int is_in_room(const void* address) {
  const size_t distance = (size_t)((const char*)address - mapped.room);
  return mapped.room != NULL && distance < room_of_thread * HEDDLE_MOST_THREADS;
}

static void* map_here(size_t size, int protection, int flags, int descriptor, off_t offset) {
  struct heddle_thread* const self = heddle_self;
  if (mapped.count == most_mapped) heddle_end_here(HEDDLE_LIMIT, "too many mappings");
  if (size > room_of_thread - self->mapped) heddle_end_here(HEDDLE_LIMIT, "a thread maps gigabytes");
  char* const begin = mapped.room + (size_t)(self - heddle_threads) * room_of_thread + self->mapped;
  void* const memory =
      (void*)(uintptr_t)syscall(SYS_mmap, begin, size, protection, flags | MAP_FIXED, descriptor, (long)offset);
  if (memory == MAP_FAILED) return memory;
  self->mapped += in_pages(size) + page; /* two do not touch */
  mapped.all[mapped.count].begin = begin;
  mapped.all[mapped.count++].size = in_pages(size);
  return memory;
}

HEDDLE_EXPORT void* mmap(void* address, size_t size, int protection, int flags, int descriptor, off_t offset) {
  if (heddle_is_real) { /* the system says where, and ThreadSanitizer, if it is there, hears of it */
    HEDDLE_REAL(void*, mmap, (void*, size_t, int, int, int, off_t));
    return real(address, size, protection, flags, descriptor, offset);
  }
  if (!heddle_is_controlled() || size == 0)
    return (void*)(uintptr_t)syscall(SYS_mmap, address, size, protection, flags, descriptor, (long)offset);
  heddle_machine.left_traces = 1;
  if ((flags & MAP_TYPE) != MAP_PRIVATE && (flags & MAP_ANONYMOUS) == 0 && (protection & PROT_WRITE) != 0)
    heddle_note_open_end("a mapped file is written");
  if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) == 0 || is_in_room(address) == 0) {
    if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) == 0) return map_here(size, protection, flags, descriptor, offset);
    heddle_note_open_end("the program chooses where its memory lies");
  }
  return (void*)(uintptr_t)syscall(SYS_mmap, address, size, protection, flags, descriptor, (long)offset);
}
HEDDLE_EXPORT void* mmap64(void* address, size_t size, int protection, int flags, int descriptor, off64_t offset) {
  return mmap(address, size, protection, flags, descriptor, offset);
}

/* All of it ends: whoever uses it then comes too late. */
HEDDLE_EXPORT int munmap(void* address, size_t size) {
  if (!heddle_goes_freely()) heddle_end_mapping(address, size);
  if (heddle_is_real) {
    HEDDLE_REAL(int, munmap, (void*, size_t));
    return real(address, size);
  }
  if (!heddle_is_controlled()) return (int)syscall(SYS_munmap, address, size);
  if (!is_in_room(address)) {
    heddle_note_open_end("the program unmaps memory that it was started with");
    return (int)syscall(SYS_munmap, address, size);
  }
  return syscall(SYS_mmap, address, in_pages(size), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
                 -1, 0L) == -1
             ? -1
             : 0;
}

HEDDLE_EXPORT void* mremap(void* address, size_t before, size_t size, int flags, ...) {
  if (heddle_is_controlled()) heddle_refuse("mremap");
  void* fresh = NULL;
  if ((flags & MREMAP_FIXED) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    fresh = va_arg(arguments, void*);
    va_end(arguments);
  }
  return (void*)(uintptr_t)syscall(SYS_mremap, address, before, size, flags, fresh);
}

HEDDLE_EXPORT int mprotect(void* address, size_t size, int protection) {
  if (heddle_is_controlled()) heddle_forget_write();
  if (heddle_is_controlled() && !is_in_room(address)) heddle_note_open_end("the program protects memory");
  return (int)syscall(SYS_mprotect, address, size, protection);
}

HEDDLE_EXPORT void* sbrk(intptr_t more) {
  static void* (*real)(intptr_t);
  if (real == NULL) real = (void* (*)(intptr_t))(uintptr_t)heddle_real("sbrk");
  if (heddle_is_controlled() && more != 0) heddle_refuse("sbrk");
  return real(more);
}
HEDDLE_EXPORT int brk(void* end) {
  if (heddle_is_controlled()) heddle_refuse("brk");
  if (heddle_is_real) {
    HEDDLE_REAL(int, brk, (void*));
    return real(end);
  }
  errno = ENOMEM;
  return -1;
}
