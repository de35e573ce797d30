/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "context.h"

#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#if defined(__x86_64__)

/* Whether the thread pointer can be written without the kernel (HWCAP2_FSGSBASE). */
uint8_t heddle_has_wrfsbase __attribute__((visibility("hidden")));

enum { saved_words = 8, frame_word = 6, entry_word = 7 };

/* Saved, from the stack pointer up: control words, r15, r14, r13, r12, rbx, rbp, return address. */
__asm__(
    ".text\n"
    ".p2align 4\n"
    ".globl heddle_switch\n"
    ".hidden heddle_switch\n"
    ".type heddle_switch,@function\n"
    "heddle_switch:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  subq $8, %rsp\n"
    "  stmxcsr (%rsp)\n"
    "  fnstcw 4(%rsp)\n"
    "  movq %rsp, (%rdi)\n"
    "  movq (%rsi), %rsp\n"
    "  movq 8(%rsi), %rsi\n"
    "  cmpb $0, heddle_has_wrfsbase(%rip)\n"
    "  je 1f\n"
    "  wrfsbase %rsi\n"
    "2:\n"
    "  ldmxcsr (%rsp)\n"
    "  fldcw 4(%rsp)\n"
    "  addq $8, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    "1:\n"
    "  movl $158, %eax\n" /* arch_prctl */
    "  movl $0x1002, %edi\n" /* ARCH_SET_FS */
    "  syscall\n"
    "  jmp 2b\n"
    ".size heddle_switch,.-heddle_switch\n");

void heddle_find_switch(void) { heddle_has_wrfsbase = (getauxval(AT_HWCAP2) & 2) != 0; }

void* heddle_thread_pointer(void) {
  void* pointer;
  __asm__ volatile("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
}

void heddle_prepare(struct heddle_context* context, void* top, void (*entry)(void)) {
  uint64_t* stack = (uint64_t*)((uintptr_t)top & ~(uintptr_t)15) - 1 - saved_words;
  memset(stack, 0, (saved_words + 1) * sizeof *stack);
  const uint32_t vectors = 0x1f80;
  const uint16_t floats = 0x37f;
  memcpy(stack, &vectors, sizeof vectors);
  memcpy((char*)stack + 4, &floats, sizeof floats);
  stack[entry_word] = (uint64_t)(uintptr_t)entry;
  context->stack = stack;
}

#elif defined(__aarch64__)

enum { saved_words = 20, first_word = 0, frame_word = 10, entry_word = 11 };

__asm__(
    ".text\n"
    ".p2align 4\n"
    ".globl heddle_switch\n"
    ".hidden heddle_switch\n"
    ".type heddle_switch,%function\n"
    "heddle_switch:\n"
    "  sub sp, sp, #160\n"
    "  stp x19, x20, [sp]\n"
    "  stp x21, x22, [sp, #16]\n"
    "  stp x23, x24, [sp, #32]\n"
    "  stp x25, x26, [sp, #48]\n"
    "  stp x27, x28, [sp, #64]\n"
    "  stp x29, x30, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n"
    "  stp d10, d11, [sp, #112]\n"
    "  stp d12, d13, [sp, #128]\n"
    "  stp d14, d15, [sp, #144]\n"
    "  mov x9, sp\n"
    "  str x9, [x0]\n"
    "  ldp x9, x10, [x1]\n"
    "  mov sp, x9\n"
    "  msr tpidr_el0, x10\n"
    "  ldp x19, x20, [sp]\n"
    "  ldp x21, x22, [sp, #16]\n"
    "  ldp x23, x24, [sp, #32]\n"
    "  ldp x25, x26, [sp, #48]\n"
    "  ldp x27, x28, [sp, #64]\n"
    "  ldp x29, x30, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n"
    "  ldp d10, d11, [sp, #112]\n"
    "  ldp d12, d13, [sp, #128]\n"
    "  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #160\n"
    "  ret\n"
    ".size heddle_switch,.-heddle_switch\n"
    /* The first function of a stack returns to nowhere, which is where unwinding ends. */
    ".globl heddle_begin_stack\n"
    ".hidden heddle_begin_stack\n"
    ".type heddle_begin_stack,%function\n"
    "heddle_begin_stack:\n"
    "  mov x30, xzr\n"
    "  br x19\n"
    ".size heddle_begin_stack,.-heddle_begin_stack\n");
void heddle_begin_stack(void);

void heddle_find_switch(void) {}

void* heddle_thread_pointer(void) {
  void* pointer;
  __asm__ volatile("mrs %0, tpidr_el0" : "=r"(pointer));
  return pointer;
}

void heddle_prepare(struct heddle_context* context, void* top, void (*entry)(void)) {
  uint64_t* stack = (uint64_t*)((uintptr_t)top & ~(uintptr_t)15) - 2 - saved_words;
  memset(stack, 0, (saved_words + 2) * sizeof *stack);
  stack[first_word] = (uint64_t)(uintptr_t)entry;
  stack[entry_word] = (uint64_t)(uintptr_t)heddle_begin_stack;
  context->stack = stack;
}

#else
#error "contexts are written for x86-64 and aarch64"
#endif

size_t heddle_walk_frames(const struct heddle_context* context, const void* low, const void* high, size_t room,
                          unsigned long long* addresses) {
  const uint64_t* saved = context->stack;
  size_t count = 0;
  if (room > 0) addresses[count++] = saved[entry_word];
  const uint64_t* frame = (const uint64_t*)(uintptr_t)saved[frame_word];
  while (count < room && (const void*)frame >= low && (const void*)(frame + 2) <= high &&
         ((uintptr_t)frame & 7) == 0 && frame[1] != 0) {
    addresses[count++] = frame[1];
    const uint64_t* const next = (const uint64_t*)(uintptr_t)frame[0];
    if (next <= frame) break;
    frame = next;
  }
  return count;
}
