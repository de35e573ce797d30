/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of verification programs: values are choices, an atomic section is one operation, a false assumption
 * cuts the run. And the ends of programs that go wrong.
 */
#include <stdlib.h>

#include "runtime.h"

#define NONDET(name, type) \
  HEDDLE_EXPORT type __VERIFIER_nondet_##name(void) { return (type)heddle_choose_value(8 * sizeof(type)); }
NONDET(bool, _Bool)
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(size_t, size_t)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(float, float)
NONDET(double, double)
NONDET(unsigned, unsigned)
NONDET(loff_t, int64_t)
NONDET(sector_t, uint64_t)
HEDDLE_EXPORT void* __VERIFIER_nondet_pointer(void) { return (void*)(uintptr_t)heddle_choose_value(64); }

/* What keeps sections apart where threads are those of the system. */
static pthread_mutex_t section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static void begin_really(void) {
  if (!heddle_is_controlled()) heddle_real_passed();
  HEDDLE_REAL(int, pthread_mutex_lock, (pthread_mutex_t*));
  real(&section);
}
static void end_really(void) {
  HEDDLE_REAL(int, pthread_mutex_unlock, (pthread_mutex_t*));
  real(&section);
}

HEDDLE_EXPORT void __VERIFIER_atomic_begin(void) {
  if (heddle_is_controlled() && heddle_self->in_section == 0) heddle_stop_before(HEDDLE_OP_SECTION, 0, 0);
  if (heddle_is_real) begin_really();
  if (!heddle_is_controlled()) return;
  if (heddle_self->in_section == 0) {
    heddle_add_deed(HEDDLE_DEED_SECTION_BEGIN, 0, 0, heddle_self->view.key, 0);
  }
  ++heddle_self->in_section;
}

HEDDLE_EXPORT void __VERIFIER_atomic_end(void) {
  if (heddle_is_real) end_really();
  if (!heddle_is_controlled()) return;
  if (heddle_self->in_section == 0) {
    heddle_note_gap("the end of an atomic section that was not begun");
    return;
  }
  if (--heddle_self->in_section == 0)
    heddle_add_deed(HEDDLE_DEED_SECTION_END, 0, 0, heddle_self->view.key, 0);
}

HEDDLE_EXPORT void __VERIFIER_assume(int condition) {
  if (!condition) heddle_end_here(HEDDLE_INFEASIBLE, "an assumption is false");
}
HEDDLE_EXPORT void __VERIFIER_assert(int condition) {
  if (!condition) heddle_end_here(HEDDLE_ASSERTION_FAILED, "an assertion failed");
}
HEDDLE_EXPORT void __VERIFIER_error(void) { heddle_end_here(HEDDLE_ASSERTION_FAILED, "an error was reached"); }
HEDDLE_EXPORT void reach_error(void) { heddle_end_here(HEDDLE_ASSERTION_FAILED, "an error was reached"); }

HEDDLE_EXPORT void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) {
  (void)assertion, (void)file, (void)line, (void)function;
  heddle_end_here(HEDDLE_ASSERTION_FAILED, "an assertion failed");
}

HEDDLE_EXPORT void abort(void) {
  if (heddle_is_controlled()) heddle_end_here(HEDDLE_ABORTED, "abort");
  __builtin_trap();
}
