/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Atomic accesses of instrumented code. What their memory orders promise is told with them. Code without hooks, of a
 * library, may make others to the same objects: then a thread finds another value than the latest one that was seen,
 * and may be ordered behind whatever has happened so far.
 *
 *   std::call_once of libc++: the library writes the flag, the header reads it
 */
#include <string.h>

#include "runtime.h"

enum { most_cells = 512, largest = 16 };

/* Lies where a restart leaves it: clearing it is cheaper than putting it back. */
static struct heddle_values {
  uint32_t count;
  struct cell {
    const char* address;
    uint32_t size;
    unsigned char value[largest];
  } cells[most_cells];
  struct cell* latest; /* whose value is known when the thread goes on */
  uint64_t lines;      /* in which cells lie, a bit for many of them */
}* values;

uint8_t heddle_has_atomics;

void heddle_set_up_atomics(void) { values = heddle_map(sizeof *values); }
void heddle_restart_atomics(void) {
  values->count = 0;
  values->lines = 0;
  values->latest = NULL;
  heddle_has_atomics = 0;
}

void heddle_settle_atomic(void) {
  if (values == NULL || values->latest == NULL) return;
  memcpy(values->latest->value, values->latest->address, values->latest->size);
  values->latest = NULL;
}

enum { line_shift = 6 };
static uint64_t bit_of(uintptr_t address) {
  return (uint64_t)1 << ((address >> line_shift) * 0x9e3779b97f4a7c15u >> 58);
}

void heddle_drop_those(const void* address, size_t size) {
  const uintptr_t first = (uintptr_t)address;
  if (size <= 1 << line_shift && (values->lines & (bit_of(first) | bit_of(first + size))) == 0) return;
  for (uint32_t i = 0; i < values->count; ++i) {
    struct cell* const cell = &values->cells[i];
    if ((const char*)address >= cell->address + cell->size || cell->address >= (const char*)address + size) continue;
    if (values->latest == cell) values->latest = NULL;
    if (values->latest == &values->cells[values->count - 1]) values->latest = cell;
    *cell = values->cells[--values->count];
    --i;
  }
}

/* Each thread may have made it, and all that comes behind may be ordered by it. */
static void note_unseen(void) {
  if (!heddle_machine.records) return;
  struct heddle_thread* const self = heddle_self;
  for (uint32_t i = 0; i < heddle_machine.thread_count; ++i) {
    heddle_self = &heddle_threads[i];
    if (heddle_self != self && (i == 0 || heddle_self->view.creator != HEDDLE_NOBODY))
      heddle_add_deed(HEDDLE_DEED_USES, ~(uint64_t)0, 0, self->view.key, 0);
  }
  heddle_self = self;
  heddle_add_deed(HEDDLE_DEED_USES, ~(uint64_t)0, 0, self->view.key, 0);
}

/* The cell whose value is to be taken behind the access; null: none. */
static struct cell* look_at_value(const void* address, size_t size, int reads) {
  heddle_settle_atomic();
  if (size > largest) return NULL;
  struct cell* cell = values->cells;
  while (cell < values->cells + values->count && (cell->address != address || cell->size != size)) ++cell;
  if (cell == values->cells + most_cells) return NULL;
  if (cell == values->cells + values->count) {
    *cell = (struct cell){address, (uint32_t)size, {0}};
    ++values->count;
    heddle_has_atomics = 1;
    values->lines |= bit_of((uintptr_t)address) | bit_of((uintptr_t)address + size);
  } else if (reads && memcmp(cell->value, address, size) != 0) {
    note_unseen();
  }
  return cell;
}

enum { order_acquire = 2, order_release = 3, order_both = 4, order_consistent = 5 };

static uint32_t flags_of(uint32_t order) {
  uint32_t flags = 0;
  if (order == order_acquire || order >= order_both) flags |= HEDDLE_ACQUIRES;
  if (order >= order_release) flags |= HEDDLE_RELEASES;
  if (order != order_consistent) flags |= HEDDLE_IS_WEAK;
  return flags;
}

static const enum heddle_op operations[] = {HEDDLE_OP_ATOMIC_READ, HEDDLE_OP_ATOMIC_WRITE, HEDDLE_OP_ATOMIC_UPDATE,
                                            HEDDLE_OP_ATOMIC_UPDATE};

static void tell_atomic(const void* address, size_t size, uint64_t key, uint32_t what) {
  const uint32_t kind = what & HEDDLE_KIND_MASK;
  const uint64_t place = (uint64_t)(uintptr_t)address;
  if (kind != HEDDLE_LOAD) heddle_announce_write(address, size);
  uint32_t flags = flags_of(what >> HEDDLE_ORDER_SHIFT & 7);
  if (what & HEDDLE_CONSUMES) flags |= HEDDLE_IS_CONSUME;
  if (kind != HEDDLE_STORE) heddle_add_deed(HEDDLE_DEED_ATOMIC_READ, place, (uint32_t)size, key, flags);
  if (kind == HEDDLE_STORE)
    heddle_add_deed(HEDDLE_DEED_ATOMIC_WRITE, place, (uint32_t)size, key, flags | HEDDLE_REPLACES);
  if (kind == HEDDLE_UPDATE || kind == HEDDLE_COMPARE)
    heddle_add_deed(HEDDLE_DEED_ATOMIC_WRITE, place, (uint32_t)size, key, flags);
}

HEDDLE_HOOK void __heddle1_atomic(const void* address, size_t size, uint64_t key, uint32_t what) {
  if (heddle_goes_freely()) return;
  const uint32_t kind = what & HEDDLE_KIND_MASK;
  heddle_stop_before_memory(operations[kind], address, size, key);
  ++heddle_self->view.progress;
  if (!heddle_is_shared()) return;
  struct cell* const cell = heddle_is_real ? NULL : look_at_value(address, size, kind != HEDDLE_STORE);
  if (heddle_machine.records) tell_atomic(address, size, key, what);
  if (cell == NULL) return;
  values->latest = cell;
  heddle_is_unsettled = 1;
}

/* If the write that was announced did not take place, the read had the order of a failure. */
HEDDLE_HOOK void __heddle1_compared(uint32_t what) {
  if ((what & HEDDLE_KIND_MASK) != 0 || !heddle_is_controlled() || !heddle_machine.records) return;
  const uint32_t count = heddle_machine.deed_count;
  if (count < 2 || heddle_machine.deeds[count - 1].kind != HEDDLE_DEED_ATOMIC_WRITE) return;
  const struct heddle_deed read = heddle_machine.deeds[count - 2];
  if (read.kind != HEDDLE_DEED_ATOMIC_READ) return;
  heddle_machine.deed_count = count - 2;
  const uint32_t flags = (read.flags & HEDDLE_IS_CONSUME) | flags_of(what >> HEDDLE_ORDER_SHIFT & 7);
  heddle_add_deed(HEDDLE_DEED_ATOMIC_READ, read.address, (uint32_t)read.size, read.key, flags);
}

HEDDLE_HOOK void __heddle1_open_end(void) {
  if (heddle_is_controlled()) heddle_note_open_end("the program reads the processor's own clock or random numbers");
}

HEDDLE_HOOK void __heddle1_fence(uint32_t order) {
  if (heddle_machine.records && heddle_is_controlled())
    heddle_add_deed(HEDDLE_DEED_FENCE, 0, 0, heddle_self->view.key, flags_of(order));
}

