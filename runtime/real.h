/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A run with threads, locks and everything else of the system: real_script.c has the schedule, real_threads.c whose
 * turn it is. Nothing here may look like synchronisation to ThreadSanitizer: threads wait in plain system calls, and
 * this library is not compiled for it.
 */
#ifndef HEDDLE_REAL_H
#define HEDDLE_REAL_H
#include "runtime.h"

struct heddle_real_end {
  uint32_t first;
  uint32_t second;
  uint64_t mark;    /* of what both stand before; 0: none */
  int is_unordered; /* the first access was made before, the second one is the last step */
  int is_known;
};

/* real_script.c */
void heddle_read_script(const char* file);
const struct heddle_real_end* heddle_script_end(void);
/* So many steps were made. */
uint64_t heddle_script_step(void);
/* Whose step is next; HEDDLE_NOBODY: there is none. */
uint32_t heddle_script_next(void);
int heddle_script_is_last(void);
/* It is made; `key`: where that thread stands. */
void heddle_script_take(uint64_t key);
void heddle_script_check_end(uint64_t first_key, uint64_t second_key);
uint64_t heddle_script_answer(void* user, uint32_t thread, uint32_t count, uint32_t bits);

/* real_threads.c */
/* Ends the process: it cannot be replayed. */
void heddle_real_fail(const char* why, uint64_t step) __attribute__((noreturn));

#endif
