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

uint8_t heddle_is_unsettled;

void heddle_settle_now(void) {
  heddle_is_unsettled = 0;
  heddle_settle_atomic();
  if (announced.size == 0) return;
  if (memcmp(announced.before, announced.address, announced.size) != 0) heddle_machine.left_traces = 1;
  announced.size = 0;
}

void heddle_announce_write(const void* address, size_t size) {
  heddle_settle_write();
  if (size > sizeof announced.before) {
    heddle_machine.left_traces = 1;
    return;
  }
  memcpy(announced.before, address, size); /* which may crash: then nothing is announced */
  announced.address = address;
  announced.size = size;
  heddle_is_unsettled = 1;
}

void heddle_forget_write(void) {
  heddle_drop_atomics(announced.address, announced.size);
  if (announced.size == 0) return;
  heddle_machine.left_traces = 1;
  announced.size = 0;
}

/* Plain accesses are operations, or those are that were named. */
static inline int is_operation(uint64_t key) {
  return heddle_machine.at_accesses &&
         (!heddle_machine.has_only_at || key == heddle_machine.only_at[0] || key == heddle_machine.only_at[1]);
}

static inline void access_memory(const void* address, size_t size, uint64_t key, int writes, uint32_t flags) {
  if (heddle_goes_freely() || size == 0) return;
  heddle_self->view.is_uncertain = flags != 0;
  if (is_operation(key))
    heddle_stop_before_memory(writes ? HEDDLE_OP_WRITE : HEDDLE_OP_READ, address, size, key);
  else if (++heddle_self->accesses > HEDDLE_MOST_ACCESSES)
    heddle_stop_before(HEDDLE_OP_CONTINUE, 0, 0);
  ++heddle_self->view.progress;
  if (writes) heddle_drop_atomics(address, size);
  if (writes && heddle_machine.records) heddle_announce_write(address, size);
  if (!heddle_is_shared()) {
    if (heddle_holds_object(address, size)) heddle_note_gap("bytes of a lock or of the like are used as memory");
  } else if (heddle_machine.records) {
    heddle_add_deed(writes ? HEDDLE_DEED_WRITE : HEDDLE_DEED_READ, (uint64_t)(uintptr_t)address, (uint32_t)size, key, flags);
  }
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
/* A call writes there on its way, once others may see it: systems do it sooner or later. */
void heddle_write_late(const void* address, size_t size) {
  if (heddle_is_controlled()) access_memory(address, size, heddle_self->view.key, 1, HEDDLE_UNCERTAIN);
}

HEDDLE_HOOK void __heddle1_call_read_string(const void* address, uint64_t key) {
  if (heddle_is_controlled() && address != NULL) access_memory(address, strlen(address) + 1, key, 0, 0);
}

HEDDLE_HOOK void __heddle1_call(uint64_t key) {
  if (heddle_is_controlled()) heddle_self->view.key = key;
}

/* All of it is written, in a way: whoever uses it then comes too late. */
void heddle_end_memory(const void* address, size_t size, uint64_t key) {
  heddle_drop_atomics(address, size);
  heddle_self->view.is_uncertain = 0;
  if (is_operation(key)) heddle_stop_before_memory(HEDDLE_OP_WRITE, address, size, key);
  ++heddle_self->view.progress;
}

void heddle_end_mapping(const void* address, size_t size) {
  heddle_forget_write();
  if (!heddle_is_shared()) return;
  heddle_end_memory(address, size, heddle_self->view.key);
  heddle_drop_objects(address, size);
  heddle_add_deed(HEDDLE_DEED_FREE, (uint64_t)(uintptr_t)address, (uint32_t)size, heddle_self->view.key, 0);
}

HEDDLE_HOOK void __heddle1_end_of_life(const void* address, size_t size, uint64_t key) {
  if (!heddle_is_controlled() || !heddle_is_shared()) return;
  heddle_end_memory(address, size, key);
  heddle_drop_objects(address, size);
  if (heddle_machine.records)
    heddle_add_deed(HEDDLE_DEED_FREE, (uint64_t)(uintptr_t)address, (uint32_t)size, key, 0);
}
