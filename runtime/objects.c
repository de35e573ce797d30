/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Synchronisation objects are known by their address alone: a row each, made when an operation first uses it. Rows
 * lie one behind the other in a mapping of their own: a restart puts back those that the snapshot has, and forgets the
 * younger ones.
 */
#include "runtime.h"

enum { bucket_count = 1024, most_objects = 1 << 20, largest = 64 /* bytes: no lock or the like has more */ };

static uint32_t buckets[bucket_count]; /* 0: none */
static struct heddle_object* rows;     /* from 1 */
static uint32_t row_count;
static uint64_t lowest = ~(uint64_t)0, highest; /* addresses of rows */

/* Static objects of C++ make some before main begins. */
void heddle_set_up_objects(void) {
  if (rows == NULL) rows = heddle_map(most_objects * sizeof *rows);
}
char* heddle_object_rows(size_t* used) {
  *used = (row_count + 1) * sizeof *rows;
  return (char*)rows;
}

static uint32_t bucket_of(uint64_t address) { return (uint32_t)((address >> 3) * 2654435761u >> 7) % bucket_count; }

struct heddle_object* heddle_latest_object;

struct heddle_object* heddle_look_for_object(uint64_t address) {
  for (uint32_t i = buckets[bucket_of(address)]; i != 0; i = rows[i].next)
    if (rows[i].address == address) return heddle_latest_object = &rows[i];
  return NULL;
}

void heddle_add_sync(enum heddle_deed_kind kind, const void* object, uint32_t flags) {
  if (!heddle_machine.records || !heddle_is_controlled()) return;
  const uint64_t address = (uint64_t)(uintptr_t)object;
  const struct heddle_object* const row = heddle_find_object(address);
  heddle_add_deed(kind, address, row == NULL ? 0 : row->size, heddle_self->view.key, flags);
}

static void make_new(struct heddle_object* row) {
  row->owner = HEDDLE_NOBODY;
  row->count = row->readers = row->limit = row->generation = 0;
}

struct heddle_object* heddle_make_object(uint64_t address) {
  if (rows == NULL) heddle_set_up_objects();
  if (row_count + 1 == most_objects) heddle_end_here(HEDDLE_LIMIT, "too many locks");
  struct heddle_object* const row = &rows[++row_count];
  row->address = address;
  if (address < lowest) lowest = address;
  if (address > highest && address >> 59 == 0) highest = address; /* not the system's */
  row->size = 0;
  make_new(row);
  uint32_t* const bucket = &buckets[bucket_of(address)];
  row->next = *bucket;
  *bucket = row_count;
  return row;
}

void heddle_reset_object(const void* address, size_t size, uint32_t count, uint32_t limit) {
  struct heddle_object* const row = heddle_use(address, size);
  if (heddle_is_controlled()) heddle_end_memory(address, size, heddle_self->view.key);
  make_new(row);
  row->count = count;
  row->limit = limit;
  heddle_add_sync(HEDDLE_DEED_RESET, address, 0);
}

static int lies_in(const struct heddle_object* row, uint64_t first, uint64_t end) {
  return row->address < end && first < row->address + row->size;
}

int heddle_holds_object(const void* begin, size_t size) {
  const uint64_t first = (uint64_t)(uintptr_t)begin, end = first + size, word = 8;
  if (first > highest + largest || end <= lowest) return 0;
  const uint64_t from = (first - largest) / word, to = (end - 1) / word; /* where one begins that reaches there */
  if (to - from > row_count) {
    for (uint32_t i = 1; i <= row_count; ++i)
      if (lies_in(&rows[i], first, end)) return 1;
    return 0;
  }
  for (uint64_t at = from; at <= to; ++at)
    for (uint32_t i = buckets[bucket_of(at * word)]; i != 0; i = rows[i].next)
      if (lies_in(&rows[i], first, end)) return 1;
  return 0;
}

void heddle_drop_objects(const void* begin, size_t size) {
  const uint64_t first = (uint64_t)(uintptr_t)begin;
  if (first > highest || first + size <= lowest) return;
  for (uint32_t i = 1; i <= row_count; ++i)
    if (rows[i].address - first < size) {
      make_new(&rows[i]);
      rows[i].size = 0; /* other memory lies there now */
    }
}
