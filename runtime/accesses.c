/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The hooks of instrumented code. Where plain accesses are no operations, one is an entry in the list of deeds.
 */
#include <string.h>

#include "runtime.h"

/* The write that a hook has announced: whether it changes anything shows when the thread goes on. */
static struct {
  const void* address;
  size_t size;
  char before[16];
} announced;

void heddle_settle_write(void) {
  if (announced.size == 0) return;
  if (memcmp(announced.before, announced.address, announced.size) != 0) heddle_machine.left_traces = 1;
  announced.size = 0;
}

static void announce_write(const void* address, size_t size) {
  heddle_settle_write();
  if (size > sizeof announced.before) {
    heddle_machine.left_traces = 1;
    return;
  }
  announced.address = address;
  announced.size = size;
  memcpy(announced.before, address, size);
}

static inline void access_memory(const void* address, size_t size, uint64_t key, int writes, uint32_t flags) {
  if (!heddle_is_controlled()) {
    if (heddle_is_real) heddle_real_passed();
    return;
  }
  if (size == 0) return;
  heddle_self->view.is_uncertain = flags != 0;
  if (heddle_machine.at_accesses)
    heddle_stop_before_memory(writes ? HEDDLE_OP_WRITE : HEDDLE_OP_READ, address, size, key);
  else if (++heddle_self->accesses > HEDDLE_MOST_ACCESSES)
    heddle_stop_before(HEDDLE_OP_CONTINUE, 0, 0);
  ++heddle_self->view.progress;
  if (writes && heddle_machine.records) announce_write(address, size);
  if (heddle_machine.records && heddle_is_shared())
    heddle_add_deed(writes ? HEDDLE_DEED_WRITE : HEDDLE_DEED_READ, (uint64_t)(uintptr_t)address, (uint32_t)size, key, flags);
}

HEDDLE_HOOK void __heddle1_read(const void* address, size_t size, uint64_t key) {
  access_memory(address, size, key, 0, 0);
}
HEDDLE_HOOK void __heddle1_write(const void* address, size_t size, uint64_t key) {
  access_memory(address, size, key, 1, 0);
}
/* Models say how much a call touches at most. */
HEDDLE_HOOK void __heddle1_call_read(const void* address, size_t size, uint64_t key) {
  if (address != NULL) access_memory(address, size, key, 0, HEDDLE_UNCERTAIN);
}
HEDDLE_HOOK void __heddle1_call_write(const void* address, size_t size, uint64_t key) {
  if (address != NULL) access_memory(address, size, key, 1, HEDDLE_UNCERTAIN);
  heddle_machine.left_traces = 1; /* whatever it writes */
}
HEDDLE_HOOK void __heddle1_call_read_string(const void* address, uint64_t key) {
  if (heddle_is_controlled() && address != NULL) access_memory(address, strlen(address) + 1, key, 0, 0);
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

HEDDLE_HOOK void __heddle1_atomic(const void* address, size_t size, uint64_t key, uint32_t what) {
  if (!heddle_is_controlled()) {
    if (heddle_is_real) heddle_real_passed();
    return;
  }
  const uint32_t kind = what & HEDDLE_KIND_MASK;
  heddle_self->view.order = what >> HEDDLE_ORDER_SHIFT & 7;
  heddle_stop_before_memory(operations[kind], address, size, key);
  ++heddle_self->view.progress;
  if (!heddle_machine.records || !heddle_is_shared()) return;
  const uint64_t place = (uint64_t)(uintptr_t)address;
  if (kind != HEDDLE_LOAD) announce_write(address, size);
  uint32_t flags = flags_of(what >> HEDDLE_ORDER_SHIFT & 7);
  if (what & HEDDLE_CONSUMES) flags |= HEDDLE_IS_CONSUME;
  if (kind != HEDDLE_STORE) heddle_add_deed(HEDDLE_DEED_ATOMIC_READ, place, (uint32_t)size, key, flags);
  if (kind == HEDDLE_STORE)
    heddle_add_deed(HEDDLE_DEED_ATOMIC_WRITE, place, (uint32_t)size, key, flags | HEDDLE_REPLACES);
  if (kind == HEDDLE_UPDATE || kind == HEDDLE_COMPARE)
    heddle_add_deed(HEDDLE_DEED_ATOMIC_WRITE, place, (uint32_t)size, key, flags);
}

/* The write that was announced did not take place. */
HEDDLE_HOOK void __heddle1_compared(uint32_t wrote) {
  if (wrote || !heddle_is_controlled() || !heddle_machine.records || heddle_machine.deed_count == 0) return;
  if (heddle_machine.deeds[heddle_machine.deed_count - 1].kind == HEDDLE_DEED_ATOMIC_WRITE) --heddle_machine.deed_count;
}

HEDDLE_HOOK void __heddle1_fence(uint32_t order) {
  if (heddle_machine.records && heddle_is_controlled())
    heddle_add_deed(HEDDLE_DEED_FENCE, 0, 0, heddle_self->view.key, flags_of(order));
}

HEDDLE_HOOK void __heddle1_call(uint64_t key) {
  if (heddle_is_controlled()) heddle_self->view.key = key;
}

/* All of it is written, in a way: whoever uses it then comes too late. */
void heddle_end_memory(const void* address, size_t size, uint64_t key) {
  if (heddle_machine.at_accesses) heddle_stop_before_memory(HEDDLE_OP_WRITE, address, size, key);
  ++heddle_self->view.progress;
}

HEDDLE_HOOK void __heddle1_end_of_life(const void* address, size_t size, uint64_t key) {
  if (!heddle_is_controlled() || !heddle_is_shared()) return;
  heddle_end_memory(address, size, key);
  heddle_drop_objects(address, size);
  if (heddle_machine.records)
    heddle_add_deed(HEDDLE_DEED_FREE, (uint64_t)(uintptr_t)address, (uint32_t)size, key, 0);
}
