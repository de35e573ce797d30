/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A runtime whose hooks do nothing, or, with HEDDLE_TEST_PLACES=FILE in the environment, write where they were called
 * and what they were told: one line `HOOK OFFSET ACCESS` each, the offset from the beginning of the program's file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/heddle_runtime.h"

extern char __executable_start;
static int places = -1;

static void note(const char* hook, void* from, uint64_t access) {
  if (places < 0) return;
  const int before = errno;
  char line[128];
  const int length = snprintf(line, sizeof line, "%s %lx %016lx\n", hook,
                              (unsigned long)((char*)from - &__executable_start), (unsigned long)access);
  if (write(places, line, (size_t)length) != length) abort();
  errno = before;
}
#define NOTE(hook, access) note(hook, __builtin_return_address(0), access)

void __heddle1_read(const void* address, size_t size, uint64_t access) {
  (void)address, (void)size;
  NOTE("read", access);
}
void __heddle1_write(const void* address, size_t size, uint64_t access) {
  (void)address, (void)size;
  NOTE("write", access);
}
void __heddle1_call_read(const void* address, size_t size, uint64_t access) {
  (void)address, (void)size;
  NOTE("call-read", access);
}
void __heddle1_call_write(const void* address, size_t size, uint64_t access) {
  (void)address, (void)size;
  NOTE("call-write", access);
}
void __heddle1_call_read_string(const void* address, uint64_t access) {
  if (places >= 0 && address != NULL) (void)*(volatile size_t*)&(size_t){strlen(address)};
  NOTE("call-read", access);
}
void __heddle1_atomic(const void* address, size_t size, uint64_t access, uint32_t what) {
  static const char* const kinds[] = {"read", "write", "update", "update"};
  (void)address, (void)size;
  NOTE(kinds[what & HEDDLE_KIND_MASK], access);
}
void __heddle1_compared(uint32_t what) {
  if ((what & HEDDLE_KIND_MASK) > 1 || what >> HEDDLE_ORDER_SHIFT > 5) abort();
}
void __heddle1_fence(uint32_t order) {
  if (order > 5) abort();
}
void __heddle1_open_end(void) {}
void __heddle1_called_through(void) {}
_Thread_local uint64_t __heddle1_standing;
void __heddle1_call(uint64_t access) { NOTE("call", access); }
void __heddle1_end_of_life(const void* address, size_t size, uint64_t access) {
  (void)address, (void)size;
  NOTE("call-free", access);
}
void __heddle1_branch(const void* frame, uint64_t place, uint64_t value) { (void)frame, (void)place, (void)value; }
void __heddle1_call_through(const void* frame, uint64_t place, const void* callee) {
  (void)frame, (void)place, (void)callee;
}
void __heddle1_meet(const void* frame, uint64_t place) { (void)frame, (void)place; }
void __heddle1_leave(const void* frame, uint64_t function) { (void)frame, (void)function; }
void __heddle1_land(const void* frame, uint64_t function, uint64_t again) { (void)frame, (void)function, (void)again; }
void __heddle1_ask(const void* frame, uint64_t place) { (void)frame, (void)place; }
void __heddle1_answer(const void* frame, uint64_t place) { (void)frame, (void)place; }

int main(int argc, char** argv, char** envp) {
  const char* file = getenv("HEDDLE_TEST_PLACES");
  if (file != NULL) places = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  return __heddle1_main(argc, argv, envp);
}
