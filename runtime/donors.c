/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Donors: threads of the kernel that are started once, give their stack and their thread-local storage, and sleep. The
 * worker is a copy of the process in which only the thread that made it lives on, so errno, thread_local variables,
 * pthread_self and the caches of the C library are ready for as many contexts as there were donors.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime.h"

struct donor {
  void* thread_pointer;
  char* stack_low;
  char* stack_top;
  char* storage_end;
  pthread_t handle;
};

static struct donor donors[HEDDLE_MOST_THREADS + 1];
static unsigned donor_count;
static int ready;
static int never;

static void* give(void* argument) {
  struct donor* const donor = argument;
  char here;
  donor->thread_pointer = heddle_thread_pointer();
  /* Below what this function and the kernel's call use. */
  donor->stack_top = (char*)(((uintptr_t)&here - 2048) & ~(uintptr_t)63);
  __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
  for (;;) syscall(SYS_futex, &never, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  return NULL;
}

static int find_stack(struct donor* donor) {
  pthread_attr_t attributes;
  void* low;
  size_t size;
  if (pthread_getattr_np(donor->handle, &attributes) != 0) return EINVAL;
  const int status = pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  donor->stack_low = low;
  donor->storage_end = (char*)low + size;
  return status;
}

/* Number 0 is the driver's; the others are for threads of that number. */
int heddle_make_donors(unsigned count) {
  int (*const create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) =
      (int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))(uintptr_t)heddle_real("pthread_create");
  if (count > HEDDLE_MOST_THREADS) count = HEDDLE_MOST_THREADS;
  for (unsigned i = 0; i < count; ++i) {
    const int status = create(&donors[i].handle, NULL, give, &donors[i]);
    if (status != 0 && i == 0) return status;
    if (status != 0) break;
    ++donor_count;
  }
  while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < (int)donor_count) usleep(50);
  for (unsigned i = 0; i < donor_count; ++i)
    if (find_stack(&donors[i]) != 0) return EINVAL;
  heddle_keep(donors, sizeof donors); /* nothing of it changes any more */
  return 0;
}

void* heddle_donor_pointer(uint32_t thread) { return donors[thread].thread_pointer; }
pthread_t heddle_donor_handle(uint32_t thread) { return donors[thread].handle; }
void* heddle_donor_stack_top(uint32_t thread) { return donors[thread].stack_top; }
void* heddle_donor_stack_low(uint32_t thread) { return donors[thread].stack_low; }
void* heddle_donor_storage_end(uint32_t thread) { return donors[thread].storage_end; }
unsigned heddle_donor_count(void) { return donor_count; }
size_t heddle_stack_size(void) { return (size_t)(donors[0].storage_end - donors[0].stack_low); }
