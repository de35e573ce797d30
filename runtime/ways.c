/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Hooks that tell which way a thread takes: entries in a list beside that of the deeds.
 */
#include "runtime.h"

enum { most_passages = 1 << 20 }; /* of one step */

/* The driver's: a restart leaves it. */
static struct heddle_passage** list;

void heddle_set_up_ways(void) {
  list = heddle_map(sizeof *list);
  *list = heddle_map(most_passages * sizeof **list);
  heddle_machine.passages = *list;
}

/* While there is one thread, what it does is the same in every execution, unless something was chosen. */
static inline void add(enum heddle_passage_kind kind, const void* frame, uint64_t place, uint64_t way) {
  if (!heddle_machine.tells_ways || !heddle_machine.records || !heddle_is_controlled()) return;
  if (!heddle_is_shared() && heddle_machine.choices <= 1) return;
  if (heddle_machine.passage_count == most_passages) {
    heddle_machine.lost_passages = 1;
    return;
  }
  struct heddle_passage* const one = &(*list)[heddle_machine.passage_count++];
  one->place = place;
  one->way = way;
  one->frame = (uint64_t)(uintptr_t)frame;
  one->deed = (uint32_t)heddle_machine.deed_count;
  one->kind = (uint8_t)kind;
}

HEDDLE_HOOK void __heddle1_branch(const void* frame, uint64_t place, uint64_t value) {
  add(HEDDLE_PASSAGE_BRANCH, frame, place, value);
}
HEDDLE_HOOK void __heddle1_call_through(const void* frame, uint64_t place, const void* callee) {
  add(HEDDLE_PASSAGE_BRANCH, frame, place, (uint64_t)(uintptr_t)callee);
}
HEDDLE_HOOK void __heddle1_meet(const void* frame, uint64_t place) { add(HEDDLE_PASSAGE_MEET, frame, place, 0); }
HEDDLE_HOOK void __heddle1_leave(const void* frame, uint64_t function) {
  add(HEDDLE_PASSAGE_LEAVE, frame, function, 0);
}
HEDDLE_HOOK void __heddle1_land(const void* frame, uint64_t function, uint64_t again) {
  add(HEDDLE_PASSAGE_LAND, frame, function, again);
}
HEDDLE_HOOK void __heddle1_ask(const void* frame, uint64_t place) { add(HEDDLE_PASSAGE_ASK, frame, place, 0); }
HEDDLE_HOOK void __heddle1_answer(const void* frame, uint64_t place) { add(HEDDLE_PASSAGE_ANSWER, frame, place, 0); }
