/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Back to the beginning, in process. When the program stands before its first operation, all memory that it can write
 * is copied; a restart copies it back. What the driver owns is left out (heddle_keep).
 *
 *   data, libraries, main's stack from its stack pointer up      as a whole
 *   heaps                                                        what is allocated; what came later becomes zero
 *   donors' thread-local storage                                 of those that ran
 *
 * The kernel keeps what is its own: descriptors that were opened later are closed, offsets of files set back.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime.h"

enum { most_ranges = 512, most_descriptors = 1024, most_kept = 64 };

struct range {
  char* begin;
  size_t size;
  char* copy; /* null: nobody has touched it, and the kernel can make it so again */
};

struct descriptor {
  int number;
  int copy;     /* of those that every program has: it may close them */
  off_t offset; /* negative: it has none */
};

/* Lies in memory of its own, which no restart touches. */
struct snapshot {
  struct range ranges[most_ranges];
  unsigned range_count;
  struct range storage[HEDDLE_MOST_THREADS]; /* of donors */
  size_t heap_used[HEDDLE_MOST_THREADS];
  char* heap_copy[HEDDLE_MOST_THREADS];
  struct heddle_thread main; /* its record; there are no others yet */
  struct range objects;
  unsigned descriptor_count;
  struct descriptor descriptors[most_descriptors]; /* in order */
  int has_moved; /* the program may have closed or replaced one */
  char* room;
  size_t room_left;
};
static struct snapshot* snapshot;

static struct {
  char* begin;
  char* end;
} kept[most_kept];
static unsigned kept_count;

void heddle_keep(const void* begin, size_t size) {
  if (kept_count == most_kept) heddle_fail("too many pieces of memory are kept");
  kept[kept_count].begin = (char*)(uintptr_t)begin;
  kept[kept_count++].end = (char*)(uintptr_t)begin + size;
}

static char* room_for(size_t size) {
  size = (size + 63) & ~(size_t)63;
  if (size > snapshot->room_left) heddle_fail("the program has too much memory for a snapshot");
  char* const room = snapshot->room;
  snapshot->room += size;
  snapshot->room_left -= size;
  return room;
}

static void add_piece(char* begin, char* end, int is_touched) {
  if (begin >= end) return;
  if (snapshot->range_count == most_ranges) heddle_fail("the program has too many pieces of memory for a snapshot");
  const size_t size = (size_t)(end - begin);
  struct range* const range = &snapshot->ranges[snapshot->range_count++];
  *range = (struct range){begin, size, is_touched ? room_for(size) : NULL};
  if (is_touched) memcpy(range->copy, begin, size);
}

enum { page_size = 4096, large = 1 << 20, long_run = 64 /* pages */ };

/* A large piece is copied as far as it was touched: a program may have gigabytes that it never uses. */
static void add_large_piece(char* begin, char* end) {
  const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  const uint64_t is_there = (uint64_t)3 << 62; /* in memory, or swapped */
  char* copied = begin;
  char* clean = NULL; /* where a run of untouched pages begins */
  uint64_t entries[512];
  size_t known = 0, next = 0;
  char* page = (char*)(((uintptr_t)begin + page_size - 1) & ~(uintptr_t)(page_size - 1));
  for (; map >= 0 && page + page_size <= end; page += page_size) {
    if (next == known) {
      const ssize_t got = pread(map, entries, sizeof entries, (off_t)((uintptr_t)page / page_size * sizeof *entries));
      if (got <= 0) break;
      known = (size_t)got / sizeof *entries;
      next = 0;
    }
    const int is_touched = (entries[next++] & is_there) != 0;
    if (!is_touched && clean == NULL) clean = page;
    if (!is_touched || clean == NULL) continue;
    if (page - clean >= long_run * page_size) {
      add_piece(copied, clean, 1);
      add_piece(clean, page, 0);
      copied = page;
    }
    clean = NULL;
  }
  if (clean != NULL && page - clean >= long_run * page_size) {
    add_piece(copied, clean, 1);
    add_piece(clean, page, 0);
    copied = page;
  }
  add_piece(copied, end, 1);
  if (map >= 0) close(map);
}

/* Without what is kept. */
static void add_range(char* begin, char* end) {
  for (unsigned i = 0; i < kept_count; ++i) {
    if (kept[i].end <= begin || kept[i].begin >= end) continue;
    if (kept[i].begin > begin) add_range(begin, kept[i].begin);
    if (kept[i].end < end) add_range(kept[i].end, end);
    return;
  }
  if (end - begin > large) return add_large_piece(begin, end);
  add_piece(begin, end, 1);
}

static int is_donor_stack(const char* begin, const char* end) {
  for (unsigned i = 0; i < heddle_donor_count(); ++i) {
    const char* const low = heddle_donor_stack_low(i);
    if (low >= begin && low < end) return 1;
  }
  return 0;
}

static void add_mapping(char* begin, char* end) {
  char* const stack = heddle_threads[0].context.stack;
  if (begin == heddle_heap_base || is_donor_stack(begin, end)) return;
  if (stack >= begin && stack < end) begin = (char*)((uintptr_t)(stack - 256) & ~(uintptr_t)63);
  add_range(begin, end);
}

static int is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
static const char* read_number(const char* text, uint64_t* number) {
  *number = 0;
  for (; is_hexadecimal(*text); ++text) *number = *number * 16 + (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
  return text;
}

/* Lines of /proc/self/maps: `55d0c000-55d0d000 rw-p …`. */
static int add_mappings(void) {
  const size_t room = 1 << 20;
  char* const text = heddle_map(room);
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  size_t length = 0;
  ssize_t got;
  while (length + 1 < room && (got = read(file, text + length, room - 1 - length)) > 0) length += (size_t)got;
  close(file);
  for (const char* line = text; *line != 0;) {
    uint64_t begin, end;
    const char* at = read_number(line, &begin);
    at = read_number(at + 1, &end);
    if (at[1] == 'r' && at[2] == 'w' && at[4] == 'p') add_mapping((char*)(uintptr_t)begin, (char*)(uintptr_t)end);
    line = strchr(line, '\n');
    if (line == NULL) break;
    ++line;
  }
  return 0;
}

static void add_heaps(void) {
  for (uint32_t i = 0; i < HEDDLE_DRIVER_HEAP; ++i) {
    const size_t used = heddle_heap_used(i);
    snapshot->heap_used[i] = used;
    if (used == 0) continue;
    snapshot->heap_copy[i] = room_for(used);
    memcpy(snapshot->heap_copy[i], heddle_heap_of(i), used);
  }
}

static void add_storage(void) {
  for (unsigned i = 1; i < heddle_donor_count(); ++i) {
    char* const begin = heddle_donor_stack_top(i);
    const size_t size = (size_t)((char*)heddle_donor_storage_end(i) - begin);
    snapshot->storage[i] = (struct range){begin, size, room_for(size)};
    memcpy(snapshot->storage[i].copy, begin, size);
  }
}

static void add_objects(void) {
  size_t used;
  char* const rows = heddle_object_rows(&used);
  snapshot->objects = (struct range){rows, used, room_for(used)};
  memcpy(snapshot->objects.copy, rows, used);
}

static void put_back(const struct range* range) {
  if (range->copy != NULL) memcpy(range->begin, range->copy, range->size);
  if (range->copy == NULL) madvise(range->begin, range->size, MADV_DONTNEED);
}

int heddle_is_own_descriptor(int number) {
  for (unsigned i = 0; snapshot != NULL && i < snapshot->descriptor_count; ++i)
    if (snapshot->descriptors[i].copy == number) return 1;
  return number == heddle_result_descriptor;
}

void heddle_note_moved_descriptor(void) {
  if (snapshot != NULL) snapshot->has_moved = 1;
}

static void note_descriptors(void) {
  for (int i = 0; i < most_descriptors; ++i) {
    if (fcntl(i, F_GETFD) < 0) continue;
    struct stat status;
    const int is_file = heddle_status_of(i, &status) == 0 && S_ISREG(status.st_mode) && !heddle_is_own_descriptor(i);
    const int copy = i <= STDERR_FILENO ? fcntl(i, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    snapshot->descriptors[snapshot->descriptor_count++] =
        (struct descriptor){i, copy, is_file ? lseek(i, 0, SEEK_CUR) : -1};
  }
}

int heddle_take_snapshot(void) {
  snapshot = heddle_map(sizeof *snapshot);
  snapshot->room_left = (size_t)1 << 34;
  snapshot->room = heddle_map(snapshot->room_left);
  snapshot->main = heddle_threads[0];
  note_descriptors();
  if (add_mappings() != 0) return -1;
  add_heaps();
  add_storage();
  add_objects();
  return 0;
}

static void put_back_heap(uint32_t heap, size_t used) {
  const size_t before = snapshot->heap_used[heap];
  char* const begin = heddle_heap_of(heap);
  if (before > 0) memcpy(begin, snapshot->heap_copy[heap], before);
  const size_t more = used - before;
  if (more > 256 * 1024) {
    char* const page = (char*)(((uintptr_t)begin + before + 4095) & ~(uintptr_t)4095);
    memset(begin + before, 0, (size_t)(page - begin) - before);
    madvise(page, (size_t)(begin + used - page), MADV_DONTNEED);
  } else if (more > 0) {
    memset(begin + before, 0, more);
  }
}

/* Those in between are the program's. */
static void put_back_descriptors(void) {
  int next = 0;
  for (unsigned i = 0; i < snapshot->descriptor_count; ++i) {
    const struct descriptor* const one = &snapshot->descriptors[i];
    if (one->number > next) syscall(SYS_close_range, next, one->number - 1, 0);
    next = one->number + 1;
    if (snapshot->has_moved && one->copy >= 0 && one->copy != one->number) dup2(one->copy, one->number);
    if (one->offset >= 0) lseek(one->number, one->offset, SEEK_SET);
  }
  syscall(SYS_close_range, next, ~0u, 0);
  snapshot->has_moved = 0;
}

void heddle_restart(void) {
  for (uint32_t i = 0; i < heddle_machine.thread_count; ++i) {
    const size_t used = heddle_heap_used(i);
    if (used > 0) put_back_heap(i, used);
  }
  for (uint32_t i = 1; i < heddle_machine.thread_count; ++i) {
    if (heddle_threads[i].is_bound) put_back(&snapshot->storage[i]);
    memset(&heddle_threads[i], 0, sizeof heddle_threads[i]);
    heddle_threads[i].view.creator = HEDDLE_NOBODY;
  }
  heddle_threads[0] = snapshot->main;
  put_back(&snapshot->objects);
  for (unsigned i = 0; i < snapshot->range_count; ++i) put_back(&snapshot->ranges[i]);
  put_back_descriptors();
  heddle_restart_atomics();
  heddle_restart_files();
  heddle_restart_mappings();
  heddle_restart_signals();
  heddle_machine.thread_count = 1;
  heddle_machine.gap = NULL;
  heddle_machine.open_end = NULL;
  heddle_machine.ending_text = NULL;
}
