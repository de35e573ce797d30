/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The beginning: `main` of an instrumented program. Settings come from the environment, which heddle sets:
 *
 *   HEDDLE_DRIVER    the driver's shared object; none: threads of the system (real_threads.c)
 *   HEDDLE_THREADS   so many threads at most
 *   HEDDLE_RESULT    descriptor for what the driver finds
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime.h"

extern void __tsan_init(void) __attribute__((weak));

static void* find_interceptor(const char* name) {
  char with_prefix[128];
  snprintf(with_prefix, sizeof with_prefix, "__interceptor_%s", name);
  return dlsym(RTLD_DEFAULT, with_prefix);
}

void* heddle_find_real(const char* name) {
  struct heddle_thread* const self = heddle_self;
  const int was_controlled = heddle_is_controlled();
  if (was_controlled) heddle_self = NULL; /* looking allocates and frees memory that is not the program's */
  void* function = __tsan_init == NULL ? NULL : find_interceptor(name);
  if (function == NULL) function = dlsym(RTLD_NEXT, name);
  if (was_controlled) heddle_self = self;
  return function;
}

void* heddle_real(const char* name) {
  void* const function = heddle_find_real(name);
  if (function == NULL) {
    heddle_say("the C library has no %s", name);
    _exit(3);
  }
  return function;
}

void heddle_say(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = snprintf(text, sizeof text, "heddle: ");
  length += vsnprintf(text + length, sizeof text - 1 - (size_t)length, format, arguments);
  va_end(arguments);
  if (length > (int)sizeof text - 2) length = (int)sizeof text - 2;
  text[length] = '\n';
  if (write(2, text, (size_t)length + 1) < 0) _exit(3);
}

void* heddle_map(size_t bytes) {
  /* Not by the C library's function, which ThreadSanitizer would watch. */
  const long address =
      syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void* const memory = (void*)address;
  if (memory == MAP_FAILED) {
    heddle_say("no memory");
    _exit(3);
  }
  heddle_keep(memory, bytes);
  return memory;
}

static unsigned number_setting(const char* name, unsigned otherwise) {
  const char* const text = getenv(name);
  return text == NULL ? otherwise : (unsigned)strtoul(text, NULL, 10);
}

/* The driver's own data survives a restart. */
static int keep_object(struct dl_phdr_info* info, size_t size, void* file) {
  (void)size;
  if (strcmp(info->dlpi_name, file) != 0) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const header = &info->dlpi_phdr[i];
    if (header->p_type == PT_LOAD && (header->p_flags & PF_W) != 0)
      heddle_keep((const void*)(uintptr_t)(info->dlpi_addr + header->p_vaddr), header->p_memsz);
  }
  return 1;
}

static heddle_drive load_driver(const char* file) {
  void* const driver = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (driver == NULL) {
    heddle_say("%s", dlerror());
    exit(3);
  }
  heddle_drive drive = (heddle_drive)(uintptr_t)dlsym(driver, HEDDLE_DRIVE);
  if (drive == NULL) {
    heddle_say("%s is of another version", file);
    exit(3);
  }
  dl_iterate_phdr(keep_object, (void*)(uintptr_t)file);
  return drive;
}

static heddle_drive drive;
static int result_descriptor = -1;

static const struct heddle_view* view(uint32_t thread) { return &heddle_threads[thread].view; }

static size_t held(uint32_t thread, uint64_t* locks, size_t room) {
  const struct heddle_thread* const one = &heddle_threads[thread];
  const size_t count = one->held_count < room ? one->held_count : room;
  memcpy(locks, one->held, count * sizeof *locks);
  return count;
}

static char* main_top; /* of main's stack, as far as the program can know it */

/* What lies between the stack pointer and the top; what the thread has in thread-local storage is not looked at. */
static int local_state(uint32_t thread, uint64_t words[2]) {
  const struct heddle_thread* const one = &heddle_threads[thread];
  const char* const top = thread == 0 ? main_top : heddle_donor_stack_top(thread);
  const uint64_t* at = one->context.stack;
  if (!one->is_bound || (const char*)at > top || top - (const char*)at > 1 << 16) return 0;
  uint64_t a = one->view.object, b = one->view.op;
  for (; (const char*)at < top; ++at) {
    a = (a ^ *at) * 0x9e3779b97f4a7c15u;
    b = (b + *at) * 0xc2b2ae3d27d4eb4fu;
    a ^= a >> 29;
    b ^= b >> 31;
  }
  words[0] = a;
  words[1] = b;
  return 1;
}

static size_t stack(uint32_t thread, uint64_t* addresses, size_t room) {
  const struct heddle_thread* const one = &heddle_threads[thread];
  if (!one->is_bound) return 0;
  const char* const low = thread == 0 ? (char*)one->context.stack : heddle_donor_stack_low(thread);
  const char* const high = thread == 0 ? main_top : (char*)heddle_donor_stack_top(thread);
  return heddle_walk_frames(&one->context, low, high, room, (unsigned long long*)addresses);
}

static void write_result(const void* bytes, size_t count) {
  const char* from = bytes;
  while (result_descriptor >= 0 && count > 0) {
    const ssize_t done = write(result_descriptor, from, count);
    if (done <= 0) _exit(3);
    from += done;
    count -= (size_t)done;
  }
}

static const char* setting(const char* name) { return getenv(name); }

static void fill_machine(void) {
  heddle_machine.version = HEDDLE_DRIVER_VERSION;
  heddle_machine.thread_count = 1;
  heddle_machine.run = heddle_run;
  heddle_machine.restart = heddle_restart;
  heddle_machine.view = view;
  heddle_machine.is_enabled = heddle_is_enabled;
  heddle_machine.held = held;
  heddle_machine.stack = stack;
  heddle_machine.local_state = local_state;
  heddle_machine.wait_outside = heddle_wait_outside;
  heddle_machine.reserve = heddle_map;
  heddle_machine.write_result = write_result;
  heddle_machine.setting = setting;
  heddle_keep(&heddle_machine, sizeof heddle_machine);
}

static void __attribute__((noreturn)) run_driver(void) {
  if (heddle_take_snapshot() != 0) {
    heddle_say("/proc/self/maps cannot be read");
    _exit(3);
  }
  _exit(drive(&heddle_machine));
}

/* In the worker: main stands before its first operation, and the driver takes over. */
static void hand_over(void) {
  enum { stack_size = 4 << 20 };
  heddle_set_up_signals(number_setting("HEDDLE_PATIENCE", 10));
  char* const stack_low = heddle_map(stack_size);
  heddle_driver_context.thread_pointer = heddle_donor_pointer(0);
  heddle_prepare(&heddle_driver_context, stack_low + stack_size, run_driver);
  struct heddle_thread* const self = &heddle_threads[0];
  self->view.op = HEDDLE_OP_START;
  self->is_bound = 1;
  self->context.thread_pointer = heddle_thread_pointer();
  heddle_switch(&self->context, &heddle_driver_context);
}

/* Runs last of what the executable has registered for its end. */
__attribute__((destructor(101))) static void stop_at_end(void) {
  heddle_stop_before(HEDDLE_OP_EXIT, 0, 0);
}

static int wait_for_worker(pid_t worker) {
  int status;
  while (waitpid(worker, &status, 0) < 0) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  heddle_say("the program under test ended by signal %d", WTERMSIG(status));
  return 3;
}

HEDDLE_HOOK int main(int argc, char** argv, char** envp) {
  const char* const file = getenv("HEDDLE_DRIVER");
  if (file == NULL) return heddle_run_real(argc, argv, envp);
  heddle_set_up_heap();
  heddle_find_switch();
  fill_machine();
  heddle_set_up_threads();
  heddle_set_up_objects();
  heddle_set_up_schedule();
  result_descriptor = (int)number_setting("HEDDLE_RESULT", ~0u);
  heddle_begin_driver();
  drive = load_driver(file);
  if (heddle_make_donors(number_setting("HEDDLE_THREADS", 64)) != 0) {
    heddle_say("no threads can be started");
    exit(3);
  }
  /* A plain copy of the process: the C library's fork would tidy up after the donors. */
  main_top = __builtin_frame_address(0);
  const pid_t worker = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (worker != 0) _exit(worker < 0 ? 3 : wait_for_worker(worker));
  hand_over();
  exit(__heddle1_main(argc, argv, envp));
}
