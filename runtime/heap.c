/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * malloc. Each thread has a heap of its own, and memory belongs to whoever freed it: so the address that a thread gets
 * depends on what it did and what it was given, and never on how other threads were scheduled meanwhile.
 *
 * A block has a header of 16 bytes. Sizes are rounded up to classes, four between two powers of two; free blocks of a
 * class form a list. A heap only grows.
 */
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime.h"

enum { header_size = 16, smallest_shift = 5, class_count = 4 * 40, unknown_class = 255 };
static const size_t heap_size = (size_t)1 << 32;

struct header {
  uint64_t size;    /* that was asked for */
  uint32_t offset;  /* of the block's memory from the header that belongs to it; aligned blocks */
  uint16_t kind;    /* its class */
  uint16_t mark;
};
enum { mark_used = 0x4864, mark_free = 0x6846 };

/* At the beginning of each heap that is used. */
struct heap {
  char* top;
  void* free[class_count];
};

static uint8_t is_used[HEDDLE_MOST_THREADS];
char* heddle_heap_base;

/* Of memory that no thread of the program asks for: before main that is the program's, later the driver's. */
static unsigned outside_heap;

static unsigned heap_number(void) {
  return !heddle_is_controlled() ? outside_heap : (unsigned)(heddle_self - heddle_threads);
}

static int is_loading; /* the driver: what the loader keeps of it is put back with all that it keeps */
void heddle_begin_loading(void) { is_loading = 1; }
void heddle_begin_driver(void) {
  is_loading = 0;
  outside_heap = HEDDLE_DRIVER_HEAP;
}

char* heddle_heap_of(uint32_t heap) { return heddle_heap_base + heap * heap_size; }
size_t heddle_heap_used(uint32_t heap) {
  return is_used[heap] ? (size_t)(((struct heap*)(void*)heddle_heap_of(heap))->top - heddle_heap_of(heap)) : 0;
}

static struct heap* own_heap(void) {
  const unsigned number = heap_number();
  struct heap* const heap = (struct heap*)(void*)heddle_heap_of(number);
  if (!is_used[number]) {
    is_used[number] = 1;
    heap->top = (char*)heap + ((sizeof *heap + 63) & ~(size_t)63);
  }
  return heap;
}

void heddle_set_up_heap(void) {
  if (heddle_heap_base != NULL) return;
  const size_t size = heap_size * HEDDLE_MOST_THREADS;
  void* const base = mmap((void*)0x10000000000, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) heddle_fail("no address space for the heaps");
  heddle_heap_base = base;
}

/* The size of a block's memory, and its class. */
static size_t round_up(size_t size, unsigned* kind) {
  if (size <= (size_t)1 << smallest_shift) {
    *kind = 0;
    return (size_t)1 << smallest_shift;
  }
  const unsigned shift = 63 - (unsigned)__builtin_clzll(size - 1); /* 2^shift < size <= 2^(shift + 1) */
  const size_t quarter = (size_t)1 << (shift - 2);
  const size_t quarters = (size - ((size_t)1 << shift) + quarter - 1) / quarter;
  *kind = 4 * (shift - smallest_shift) + (unsigned)quarters;
  return ((size_t)1 << shift) + quarters * quarter;
}

/* What no machine has is refused as always; a real run might get the rest. */
static void* no_memory(size_t size) {
  if (heddle_is_controlled() && size < (size_t)1 << 46) heddle_end_here(HEDDLE_LIMIT, "a thread allocates gigabytes");
  errno = ENOMEM;
  return NULL;
}

/* Where ThreadSanitizer watches, memory is its business: it tells whose it was. */
extern void* __interceptor_malloc(size_t size) __attribute__((weak));
extern void __interceptor_free(void* memory) __attribute__((weak));
extern void* __interceptor_calloc(size_t count, size_t size) __attribute__((weak));
extern void* __interceptor_realloc(void* memory, size_t size) __attribute__((weak));
extern void* __interceptor_memalign(size_t alignment, size_t size) __attribute__((weak));
extern size_t __interceptor_malloc_usable_size(void* memory) __attribute__((weak));

/* Threads that nobody controls use one heap. */
static uint8_t is_locked;
static void lock_heap(void) {
  while (heddle_is_real && __atomic_exchange_n(&is_locked, 1, __ATOMIC_ACQUIRE)) {
  }
}
static void unlock_heap(void) {
  if (heddle_is_real) __atomic_store_n(&is_locked, 0, __ATOMIC_RELEASE);
}

static void* allocate_block(size_t size) {
  if (size > heap_size / 2) return NULL;
  heddle_machine.left_traces = 1;
  struct heap* const heap = own_heap();
  unsigned kind;
  const size_t room = (round_up(size, &kind) + 15) & ~(size_t)15;
  char* block = heap->free[kind];
  if (block != NULL) {
    memcpy(&heap->free[kind], block, sizeof(void*));
  } else {
    if ((size_t)((char*)heap + heap_size - heap->top) < room + header_size) return NULL;
    block = heap->top + header_size;
    heap->top += header_size + room;
  }
  struct header* const header = (struct header*)(void*)(block - header_size);
  *header = (struct header){size, 0, (uint16_t)kind, mark_used};
  return block;
}

static void* allocate(size_t size) {
  if (__interceptor_malloc != NULL) return __interceptor_malloc(size);
  if (heddle_heap_base == NULL) heddle_set_up_heap();
  lock_heap();
  void* const memory = allocate_block(size);
  unlock_heap();
  return memory == NULL ? no_memory(size) : memory;
}

static struct header* header_of(void* memory) {
  if ((char*)memory < heddle_heap_base || (char*)memory >= heddle_heap_base + heap_size * HEDDLE_MOST_THREADS)
    return NULL;
  return (struct header*)(void*)((char*)memory - header_size);
}

/* The C library's own code: it may hold locks that only it knows, so no other thread may run meanwhile. */
static struct {
  uintptr_t begin, end;
} library[2];

static int note_library(struct dl_phdr_info* info, size_t size, void* count) {
  (void)size;
  unsigned* const number = count;
  if (*number == 2 || (strstr(info->dlpi_name, "/libc.so") == NULL && strstr(info->dlpi_name, "/ld-linux") == NULL))
    return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || (header->p_flags & PF_X) == 0) continue;
    library[*number].begin = info->dlpi_addr + header->p_vaddr;
    library[*number].end = library[*number].begin + header->p_memsz;
  }
  ++*number;
  return 0;
}
void heddle_find_library(void) {
  unsigned count = 0;
  dl_iterate_phdr(note_library, &count);
}

static int is_in_library(const void* caller) {
  for (unsigned i = 0; i < 2; ++i)
    if ((uintptr_t)caller >= library[i].begin && (uintptr_t)caller < library[i].end) return 1;
  return 0;
}

/* The thread stands before the end of this memory. */
static void end_block(void* memory, size_t size, const void* caller) {
  if (!heddle_is_controlled()) return;
  if (!is_in_library(caller)) heddle_end_memory(memory, size, heddle_self->view.key);
  if (heddle_machine.records && heddle_is_shared())
    heddle_add_deed(HEDDLE_DEED_FREE, (uint64_t)(uintptr_t)memory, (uint32_t)size, heddle_self->view.key, 0);
  heddle_drop_objects(memory, size);
}

static void release(void* memory, const void* caller) {
  if (heddle_is_real && !heddle_is_controlled()) heddle_real_passed();
  if (__interceptor_free != NULL) {
    if (heddle_is_controlled()) end_block(memory, __interceptor_malloc_usable_size(memory), caller);
    __interceptor_free(memory);
    return;
  }
  struct header* header = header_of(memory);
  if (header == NULL) return; /* of the C library's own, before this one was there */
  if (header->mark != mark_used) heddle_end_here(HEDDLE_CRASHED, "free of memory that is not allocated");
  end_block(memory, header->size, caller);
  heddle_machine.left_traces = 1;
  lock_heap();
  header->mark = mark_free;
  char* const block = (char*)memory - header->offset;
  header = (struct header*)(void*)(block - header_size);
  header->mark = mark_free;
  struct heap* const heap = own_heap();
  memcpy(block, &heap->free[header->kind], sizeof(void*));
  heap->free[header->kind] = block;
  unlock_heap();
}

static void* allocate_for(size_t size, const void* caller) {
  if (is_loading) outside_heap = is_in_library(caller) ? 0 : HEDDLE_DRIVER_HEAP;
  return allocate(size);
}
HEDDLE_EXPORT void* malloc(size_t size) {
  if (!heddle_is_controlled()) return allocate_for(size, __builtin_return_address(0));
  HEDDLE_TSAN_ENTER();
  void* const memory = allocate(size);
  HEDDLE_TSAN_LEAVE();
  return memory;
}
HEDDLE_EXPORT void free(void* memory) {
  if (memory == NULL) return;
  const int is_told = heddle_is_controlled();
  if (is_told) HEDDLE_TSAN_ENTER();
  release(memory, __builtin_return_address(0));
  if (is_told) HEDDLE_TSAN_LEAVE();
}
HEDDLE_EXPORT void* calloc(size_t count, size_t size) {
  if (__interceptor_calloc != NULL) return __interceptor_calloc(count, size);
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  void* const memory = allocate_for(bytes, __builtin_return_address(0));
  if (memory != NULL) memset(memory, 0, bytes);
  return memory;
}
static void* reallocate(void* memory, size_t size, const void* caller) {
  if (__interceptor_realloc != NULL && !heddle_is_controlled()) return __interceptor_realloc(memory, size);
  if (memory == NULL) return allocate(size);
  if (size == 0) {
    release(memory, caller);
    return NULL;
  }
  const int is_known = __interceptor_malloc != NULL || header_of(memory) != NULL;
  const size_t before = is_known ? malloc_usable_size(memory) : size;
  void* const fresh = allocate(size);
  if (fresh == NULL) return NULL;
  memcpy(fresh, memory, before < size ? before : size);
  release(memory, caller);
  return fresh;
}
HEDDLE_EXPORT void* realloc(void* memory, size_t size) {
  const int is_told = heddle_is_controlled();
  if (is_told) HEDDLE_TSAN_ENTER();
  void* const fresh = reallocate(memory, size, __builtin_return_address(0));
  if (is_told) HEDDLE_TSAN_LEAVE();
  return fresh;
}
HEDDLE_EXPORT void* reallocarray(void* memory, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  const int is_told = heddle_is_controlled();
  if (is_told) HEDDLE_TSAN_ENTER();
  void* const fresh = reallocate(memory, bytes, __builtin_return_address(0));
  if (is_told) HEDDLE_TSAN_LEAVE();
  return fresh;
}

HEDDLE_EXPORT void* memalign(size_t alignment, size_t size) {
  if (__interceptor_memalign != NULL) return __interceptor_memalign(alignment, size);
  if (alignment <= 16) return allocate(size);
  char* const block = allocate(size + alignment + header_size);
  if (block == NULL) return NULL;
  char* const memory = (char*)(((uintptr_t)block + header_size + alignment - 1) & ~(uintptr_t)(alignment - 1));
  struct header* const header = (struct header*)(void*)(memory - header_size);
  *header = (struct header){size, (uint32_t)(memory - block), unknown_class, mark_used};
  return memory;
}
HEDDLE_EXPORT void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
HEDDLE_EXPORT int posix_memalign(void** result, size_t alignment, size_t size) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* const memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}
HEDDLE_EXPORT void* valloc(size_t size) { return memalign(4096, size); }
HEDDLE_EXPORT void* pvalloc(size_t size) { return memalign(4096, (size + 4095) & ~(size_t)4095); }
HEDDLE_EXPORT size_t malloc_usable_size(void* memory) {
  if (__interceptor_malloc_usable_size != NULL) return __interceptor_malloc_usable_size(memory);
  const struct header* const header = memory == NULL ? NULL : header_of(memory);
  return header == NULL ? 0 : header->size;
}
