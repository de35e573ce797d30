/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The contract between instrumented code (instrument/) and the library that runs it (runtime/). The number in each name
 * is its version: code and library that do not fit each other do not link.
 *
 *   x = y;                  __heddle1_read(&y, 4, 0x5f1c…); load; __heddle1_write(&x, 4, 0x93a0…); store
 *   atomic_fetch_add(&n, 1) __heddle1_atomic(&n, 4, 0x11…, HEDDLE_UPDATE | order << HEDDLE_ORDER_SHIFT); atomicrmw
 *   free(p)                 __heddle1_call(0x7b…); free(p)
 *   main                    is called __heddle1_main; the library has `main`
 *
 * A hook stands in front of what it tells of. `access` is the AccessId of src/race/access_id.h. Hooks keep errno and
 * may be called before `main` and from any thread. Threads, locks and the like need no hooks: the library defines the
 * functions of pthread.h and threads.h itself.
 */
#ifndef HEDDLE_RUNTIME_H
#define HEDDLE_RUNTIME_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Plain accesses to memory that other threads may know. */
void __heddle1_read(const void* address, size_t size, uint64_t access);
void __heddle1_write(const void* address, size_t size, uint64_t access);
/* What a library function called next reads or writes of it; a string is read up to its end. */
void __heddle1_call_read(const void* address, size_t size, uint64_t access);
void __heddle1_call_write(const void* address, size_t size, uint64_t access);
void __heddle1_call_read_string(const void* address, uint64_t access);

/* `what`: one of the kinds, the memory order as C numbers them (0 relaxed … 5 sequentially consistent), and flags. */
enum {
  HEDDLE_LOAD = 0,
  HEDDLE_STORE = 1,
  HEDDLE_UPDATE = 2,   /* reads, then writes */
  HEDDLE_COMPARE = 3,  /* writes if it finds what it expects: __heddle1_compared follows */
  HEDDLE_KIND_MASK = 3,
  HEDDLE_ORDER_SHIFT = 4, /* three bits */
  HEDDLE_CONSUMES = 0x80  /* a load that orders what depends on its value */
};
void __heddle1_atomic(const void* address, size_t size, uint64_t access, uint32_t what);
/* The compare-and-exchange before it did (1) or did not (0) write; with the order of a failure, shifted as above. */
void __heddle1_compared(uint32_t what);
/* `order` as above. */
void __heddle1_fence(uint32_t order);
/* What the processor answers next is never the same again: its clock, a random number. */
void __heddle1_open_end(void);

/* The function called next belongs to this place of the program. For calls that the library may know: threads, locks,
 * free, choices. */
void __heddle1_call(uint64_t access);

/* A call through a pointer is over. */
void __heddle1_called_through(void);

/* The block of a local variable ended whose address others may know. */
void __heddle1_end_of_life(const void* address, size_t size, uint64_t access);

/* Which way a thread takes (places: src/program/names/place_number.h; `frame`: of the function).
 *
 *   if (c) x++; y++;        __heddle1_branch(frame, 0x17…, c); br …;  where both meet: __heddle1_meet(frame, 0x2a…); y++
 *   f();                    __heddle1_call_through(frame, 0x31…, f); f(); __heddle1_meet(frame, 0x31…)
 *   return;                 __heddle1_leave(frame, function)
 *   catch, setjmp           __heddle1_land(frame, function, 0), (frame, function, result)
 *   open("file", 0)         __heddle1_ask(frame, 0x5c…); open(…); __heddle1_answer(frame, 0x5c…): what a library answers
 *                           may depend on what others did with it
 */
void __heddle1_branch(const void* frame, uint64_t place, uint64_t value);
void __heddle1_call_through(const void* frame, uint64_t place, const void* callee);
void __heddle1_meet(const void* frame, uint64_t place);
void __heddle1_leave(const void* frame, uint64_t function);
void __heddle1_land(const void* frame, uint64_t function, uint64_t again);
void __heddle1_ask(const void* frame, uint64_t place);
void __heddle1_answer(const void* frame, uint64_t place);

/* A number for where the thread stands, in all of its frames, and for what they may still read there. Set in front of
 * each operation and call, whose function sets it to 0; even: not known. */
#ifdef __cplusplus
extern thread_local uint64_t __heddle1_standing;
#else
extern _Thread_local uint64_t __heddle1_standing;
#endif

/* Defined, whatever it is, by code that calls pthread_cancel. */
extern const char __heddle1_cancels;
/* The same by code that has thread-local variables. */
extern const char __heddle1_thread_locals;

/* The program's own main, renamed. */
int __heddle1_main(int argc, char** argv, char** envp);

#ifdef __cplusplus
}
#endif
#endif
