/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Contexts: a stack and a thread pointer. A switch saves what a function call must keep, and goes on in another.
 */
#ifndef HEDDLE_CONTEXT_H
#define HEDDLE_CONTEXT_H
#include <stddef.h>

struct heddle_context {
  void* stack;          /* where the saved registers lie */
  void* thread_pointer; /* of its thread-local storage */
};

void heddle_switch(struct heddle_context* from, const struct heddle_context* to);

/* The first switch to it calls `entry`, which must not return. `top` is the end of its stack. */
void heddle_prepare(struct heddle_context* context, void* top, void (*entry)(void));

void* heddle_thread_pointer(void);
/* Once, before the first switch. */
void heddle_find_switch(void);

/* Return addresses up the chain of frames, innermost first. `frame`: where it begins; null: the caller's. */
size_t heddle_walk_frames(const struct heddle_context* context, const void* low, const void* high, size_t room,
                          unsigned long long* addresses);

#endif
