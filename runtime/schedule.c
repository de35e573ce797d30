/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Who runs. A thread that comes to an operation looks at the script: if it is next, it goes on at once; if another
 * thread is, that one's context is switched to; at the script's end the driver's.
 */
#include <string.h>

#include "runtime.h"

struct heddle_thread heddle_threads[HEDDLE_MOST_THREADS];
struct heddle_thread* heddle_self;
struct heddle_machine heddle_machine;
struct heddle_context heddle_driver_context;

enum { most_deeds = 1 << 22, patience = 5000 /* milliseconds */, most_seen = 1 << 14 };

/* The script and the deeds are the driver's: a restart leaves them. */
struct heddle_script {
  const struct heddle_choice* next;
  const struct heddle_choice* end;
  uint32_t wanted; /* outcome of the running operation's choice */
  struct heddle_deed* deeds;
  /* Plain accesses since the latest deed of another kind: the same one again says nothing new. It does where somebody
     asks what else the thread could have done: its address may depend on what was read meanwhile. */
  struct seen {
    uint64_t address, key, round;
    uint32_t size, kind;
  } seen[most_seen];
  uint64_t round;
};
static struct heddle_script* script;

void heddle_set_up_schedule(void) {
  script = heddle_map(sizeof *script);
  script->deeds = heddle_map(most_deeds * sizeof(struct heddle_deed));
  heddle_machine.deeds = script->deeds;
  heddle_set_up_ways();
  for (uint32_t i = 0; i < HEDDLE_MOST_THREADS; ++i) heddle_threads[i].view.creator = HEDDLE_NOBODY;
}

static int was_seen(enum heddle_deed_kind kind, uint64_t address, uint32_t size, uint64_t key) {
  struct seen* const row = &script->seen[((address ^ key) * 0x9e3779b97f4a7c15u + kind) >> 50];
  if (row->address == address && row->key == key && row->round == script->round && row->size == size && row->kind == kind)
    return 1;
  *row = (struct seen){address, key, script->round, size, kind};
  return 0;
}

void heddle_add_deed(enum heddle_deed_kind kind, uint64_t address, uint32_t size, uint64_t key, uint32_t flags) {
  if (!heddle_machine.records || !heddle_is_controlled()) return;
  const int is_plain = kind == HEDDLE_DEED_READ || kind == HEDDLE_DEED_WRITE;
  if (!is_plain)
    ++script->round;
  else if (flags == 0 && !heddle_self->in_section && !heddle_machine.tells_ways && was_seen(kind, address, size, key))
    return;
  if (heddle_machine.deed_count == most_deeds) heddle_end_here(HEDDLE_LIMIT, "one step makes too many accesses");
  struct heddle_deed* const deed = &script->deeds[heddle_machine.deed_count++];
  deed->address = address;
  deed->key = key;
  deed->size = size;
  deed->thread = (uint32_t)(heddle_self - heddle_threads);
  deed->kind = (uint8_t)kind;
  deed->flags = (uint8_t)flags;
}

static int is_wake_enabled(const struct heddle_thread* thread) {
  const struct heddle_view* view = &thread->view;
  const int is_cancelled = view->mark != 0 && thread->is_cancelled;
  const int may_end = view->was_signalled || view->is_timed || is_cancelled || heddle_machine.spurious_wakeups;
  return may_end && (view->lock == 0 || heddle_is_free(heddle_find_object(view->lock)));
}

static int is_lock_enabled(const struct heddle_thread* thread) {
  const struct heddle_object* object = heddle_find_object(thread->view.object);
  if (heddle_is_free(object)) return 1;
  /* A thread that has it already gets it again, or an error. */
  return object->owner == (uint32_t)(thread - heddle_threads) && thread->view.size != 0;
}

static __attribute__((noinline)) int is_enabled(const struct heddle_thread* thread) {
  const struct heddle_object* object;
  if (thread->view.mark != 0 && thread->is_cancelled && thread->view.op != HEDDLE_OP_WAKE) return 1;
  switch ((enum heddle_op)thread->view.op) {
    case HEDDLE_OP_NONE:
    case HEDDLE_OP_EXIT:
    case HEDDLE_OP_FAILED: return 0;
    case HEDDLE_OP_LOCK: return is_lock_enabled(thread);
    case HEDDLE_OP_LOCK_SHARED:
      object = heddle_find_object(thread->view.object);
      return object == NULL || object->owner == HEDDLE_NOBODY;
    case HEDDLE_OP_WAKE: return is_wake_enabled(thread);
    case HEDDLE_OP_BARRIER_LEAVE:
      object = heddle_find_object(thread->view.object);
      return object == NULL || object->generation != thread->wait_count;
    case HEDDLE_OP_SEMAPHORE_WAIT:
      object = heddle_find_object(thread->view.object);
      return object != NULL && object->count > 0;
    case HEDDLE_OP_ONCE:
      object = heddle_find_object(thread->view.object);
      return object == NULL || object->count != 1;
    case HEDDLE_OP_DESCRIPTOR: return thread->is_ready == NULL || thread->is_ready(thread->waits_for);
    case HEDDLE_OP_JOIN: {
      const struct heddle_thread* const other = &heddle_threads[thread->view.object];
      return other->is_finished || other->is_detached;
    }
    default: return 1;
  }
}

/* The most frequent ones first. */
static inline __attribute__((always_inline)) int can_go_on(const struct heddle_thread* thread) {
  if (thread->view.op == HEDDLE_OP_UNLOCK) return 1;
  if (thread->view.op == HEDDLE_OP_LOCK) return is_lock_enabled(thread);
  return is_enabled(thread);
}

int heddle_is_enabled(uint32_t index) { return can_go_on(&heddle_threads[index]); }

size_t heddle_enabled(uint32_t* threads) {
  size_t count = 0;
  for (uint32_t i = 0; i < heddle_machine.thread_count; ++i)
    if (can_go_on(&heddle_threads[i])) threads[count++] = i;
  return count;
}

static __attribute__((noinline)) void bind(struct heddle_thread* thread);

/* The next context by the script: the driver's at its end, or if the thread it names cannot go on. */
static inline const struct heddle_context* next_context(void) {
  const struct heddle_choice* const next = script->next;
  if (next == script->end || next->thread >= heddle_machine.thread_count) return &heddle_driver_context;
  struct heddle_thread* const thread = &heddle_threads[next->thread];
  if (!can_go_on(thread)) {
    /* It got something from outside before: it comes again, but perhaps not at once. */
    const int may_come = thread->view.op == HEDDLE_OP_DESCRIPTOR && !heddle_waits_for_signal(thread);
    if (!may_come || !heddle_wait_for(thread, patience)) return &heddle_driver_context;
  }
  script->wanted = next->outcome;
  script->next = next + 1;
  heddle_machine.choices = 1;
  heddle_self = thread;
  if (!thread->is_bound) bind(thread);
  return &thread->context;
}

/* Who has no room for what follows overflows its stack here, where it is known whose stack that is. */
static inline void need_room(void) {
  enum { room = 2048 };
  (void)*((volatile const char*)__builtin_frame_address(0) - room);
}

static void leave(struct heddle_thread* thread) {
  if (heddle_is_real) {
    heddle_real_leave(thread);
    return;
  }
  need_room();
  heddle_settle_write();
  const struct heddle_context* const to = next_context();
  if (to == &thread->context) return;
  if (to == &heddle_driver_context) heddle_self = NULL;
  heddle_switch(&thread->context, to);
}

_Thread_local uint64_t __heddle1_standing;

/* The operation has it now: what code without hooks does behind it stands nowhere that is known. */
static inline uint64_t take_standing(void) {
  const uint64_t standing = __heddle1_standing;
  __heddle1_standing = 0;
  return standing;
}

/* A function with hooks, or an operation, has taken the number. Others may keep something for the next time. */
HEDDLE_HOOK void __heddle1_called_through(void) {
  if (__heddle1_standing == 0) return;
  __heddle1_standing = 0;
  heddle_machine.left_traces = 1;
}

static void __attribute__((noreturn)) run_thread(void) {
  struct heddle_thread* const thread = heddle_self;
  __heddle1_standing = 1;
  heddle_finish_thread(thread->entry((void*)(uintptr_t)thread->view.argument));
}

/* A context is bound when the thread first runs. */
static void bind(struct heddle_thread* thread) {
  const uint32_t index = (uint32_t)(thread - heddle_threads);
  thread->is_bound = 1;
  thread->context.thread_pointer = heddle_donor_pointer(index);
  heddle_prepare(&thread->context, heddle_donor_stack_top(index), run_thread);
}

static inline void ask_for(enum heddle_op op, uint64_t object) {
  if (!heddle_machine.records || !heddle_is_shared() || !heddle_asks(op)) return;
  const struct heddle_object* const row = heddle_find_object(object);
  if (row != NULL && row->size != 0) heddle_add_deed(HEDDLE_DEED_ASKS, object, row->size, heddle_self->view.key, 0);
}

void heddle_stop_before(enum heddle_op op, uint64_t object, uint64_t lock) {
  struct heddle_thread* const self = heddle_self;
  if (heddle_goes_freely() || self->in_section) return;
  self->view.op = (uint8_t)op;
  self->view.object = object;
  self->view.lock = lock;
  self->standing = op == HEDDLE_OP_CONTINUE ? 0 : take_standing();
  if (heddle_machine.at_accesses) {
    const struct heddle_object* const row = heddle_find_object(object);
    self->view.object_size = row == NULL ? 0 : row->size;
  }
  /* Alone, nobody can tell. */
  if (!heddle_is_shared() && op != HEDDLE_OP_EXIT && heddle_is_enabled((uint32_t)(self - heddle_threads))) {
    ++self->view.progress;
    return;
  }
  self->accesses = 0;
  ask_for(op, object);
  leave(self);
  if (op != HEDDLE_OP_CONTINUE) ++self->view.progress;
}

void heddle_stop_before_memory(enum heddle_op op, const void* address, size_t size, uint64_t key) {
  struct heddle_thread* const self = heddle_self;
  if (heddle_goes_freely() || self->in_section || !heddle_is_shared()) return;
  self->view.op = (uint8_t)op;
  self->view.object = (uint64_t)(uintptr_t)address;
  self->view.size = (uint32_t)size;
  self->view.lock = 0;
  self->view.key = key;
  self->standing = op == HEDDLE_OP_READ || op == HEDDLE_OP_WRITE ? 0 : take_standing();
  leave(self);
}

uint32_t heddle_choose(uint32_t count) {
  if (count < 2) return 0;
  if (heddle_machine.asks && heddle_is_controlled())
    return (uint32_t)heddle_machine.answer(heddle_machine.user, (uint32_t)(heddle_self - heddle_threads), count, 32);
  if (heddle_machine.choices > 1) {
    heddle_machine.had_several = 1;
    return 0;
  }
  heddle_machine.choices = count;
  return script == NULL ? 0 : script->wanted % count;
}

uint64_t heddle_choose_value(uint32_t bits) {
  heddle_machine.gave_input = 1;
  if (heddle_machine.answer == NULL || !heddle_is_controlled()) return heddle_machine.input_value;
  return heddle_machine.answer(heddle_machine.user, (uint32_t)(heddle_self - heddle_threads), 0, bits);
}

void heddle_note_gap(const char* why) {
  if (heddle_machine.gap == NULL) heddle_machine.gap = why;
}

void heddle_note_open_end(const char* why) {
  if (heddle_machine.open_end == NULL) heddle_machine.open_end = why;
}

void heddle_end_here(enum heddle_ending ending, const char* text) {
  struct heddle_thread* const self = heddle_self;
  if (!heddle_is_controlled()) heddle_fail("%s", text);
  heddle_forget_write();
  self->view.op = HEDDLE_OP_FAILED;
  self->view.ending = (uint8_t)ending;
  heddle_machine.ending_text = text;
  for (;;) leave(self);
}

void heddle_refuse(const char* what) { heddle_end_here(HEDDLE_UNSUPPORTED, what); }

size_t heddle_run(const struct heddle_choice* choices, size_t count) {
  script->next = choices;
  script->end = choices + count;
  heddle_machine.deed_count = 0;
  ++script->round;
  heddle_machine.passage_count = 0;
  heddle_machine.lost_passages = 0;
  heddle_machine.had_several = 0;
  heddle_machine.left_traces = 0;
  heddle_pulse->run = ++heddle_machine.run_number;
  heddle_machine.gave_input = 0;
  const struct heddle_context* const to = next_context();
  if (to != &heddle_driver_context) heddle_switch(&heddle_driver_context, to);
  heddle_self = NULL;
  return (size_t)(script->next - choices);
}
