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
  if (function == NULL) heddle_fail("the C library has no %s", name);
  return function;
}

int heddle_result_descriptor = -1;

/* As low as it can be: a restart closes all above, which takes the kernel as long as the highest one is high. */
static void take_result_descriptor(int given) {
  if (given < 0) return;
  heddle_result_descriptor = fcntl(given, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (heddle_result_descriptor < 0) heddle_result_descriptor = given;
  if (heddle_result_descriptor != given) close(given);
}

/* As src/explore/native/driver_result.h writes it; without somebody who reads that, for people. */
static void answer_failure(const char* text) {
  char answer[640];
  const char* const format = heddle_result_descriptor >= 0 ? "error %s\ndone \n" : "heddle: %s\n";
  int length = snprintf(answer, sizeof answer, format, text);
  if (length >= (int)sizeof answer) length = (int)sizeof answer - 1;
  const int to = heddle_result_descriptor >= 0 ? heddle_result_descriptor : STDERR_FILENO;
  if (heddle_syscall(SYS_write, to, answer, (size_t)length) < 0) heddle_syscall(SYS_exit_group, 4);
}

void heddle_fail(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  heddle_self = NULL;
  answer_failure(text);
  heddle_syscall(SYS_exit_group, 3);
  __builtin_unreachable();
}

void* heddle_map(size_t size) {
  /* What is kept ends with a page: nobody else has the rest of it. */
  const size_t page = 4096, bytes = (size + page - 1) & ~(page - 1);
  /* Not by the C library's function, which ThreadSanitizer would watch. */
  void* const memory = (void*)heddle_syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
  if (memory == MAP_FAILED) heddle_fail("no address space for %zu bytes", bytes);
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
  if (driver == NULL) heddle_fail("%s", dlerror());
  heddle_drive drive = (heddle_drive)(uintptr_t)dlsym(driver, HEDDLE_DRIVE);
  if (drive == NULL) heddle_fail("%s is of another version", file);
  dl_iterate_phdr(keep_object, (void*)(uintptr_t)file);
  return drive;
}

static heddle_drive drive;

static size_t held(uint32_t thread, uint64_t* locks, size_t room) {
  const struct heddle_thread* const one = &heddle_threads[thread];
  const size_t count = one->view.held_count < room ? one->view.held_count : room;
  memcpy(locks, one->held, count * sizeof *locks);
  return count;
}

static char* main_top; /* of main's stack, as far as the program can know it */

static void add_word(uint64_t words[2], uint64_t word) {
  words[0] = (words[0] ^ word) * 0x9e3779b97f4a7c15u;
  words[1] = (words[1] + word) * 0xc2b2ae3d27d4eb4fu;
  words[0] ^= words[0] >> 29;
  words[1] ^= words[1] >> 31;
}

/* Where it stands. If that is not known, what lies between the stack pointer and the top, much of which nobody will
   read; what the thread has in thread-local storage is not looked at. */
static int local_state(uint32_t thread, uint64_t words[2]) {
  const struct heddle_thread* const one = &heddle_threads[thread];
  const struct heddle_view* const view = &one->view;
  const char* const top = thread == 0 ? main_top : heddle_donor_stack_top(thread);
  const uint64_t* at = one->context.stack;
  if (!one->is_bound || (const char*)at > top) return 0;
  const int is_known = (one->standing & 1) != 0;
  if (!is_known && top - (const char*)at > 1 << 16) return 0;
  words[0] = view->object;
  words[1] = view->op;
  add_word(words, view->lock);
  if (view->op == HEDDLE_OP_WAKE) add_word(words, (uint64_t)view->is_timed << 1 | view->was_signalled);
  if (view->op == HEDDLE_OP_WAKE || view->op == HEDDLE_OP_BARRIER_LEAVE) add_word(words, one->wait_count);
  add_word(words, one->random);
  if (is_known) add_word(words, one->standing);
  for (; !is_known && (const char*)at < top; ++at) add_word(words, *at);
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
  while (heddle_result_descriptor >= 0 && count > 0) {
    const ssize_t done = write(heddle_result_descriptor, from, count);
    if (done <= 0) _exit(3);
    from += done;
    count -= (size_t)done;
  }
}

static int read_job(void* bytes, size_t count) {
  char* to = bytes;
  while (count > 0) {
    const ssize_t done = syscall(SYS_read, heddle_result_descriptor, to, count);
    if (done <= 0) return 0;
    to += done;
    count -= (size_t)done;
  }
  return 1;
}

static const char* setting(const char* name) { return getenv(name); }

static void fill_machine(void) {
  heddle_machine.version = HEDDLE_DRIVER_VERSION;
  heddle_machine.thread_count = 1;
  heddle_machine.run = heddle_run;
  heddle_machine.restart = heddle_restart;
  heddle_machine.views = &heddle_threads[0].view;
  heddle_machine.view_distance = sizeof heddle_threads[0];
  heddle_machine.is_enabled = heddle_is_enabled;
  heddle_machine.enabled = heddle_enabled;
  heddle_machine.held = held;
  heddle_machine.stack = stack;
  heddle_machine.local_state = local_state;
  heddle_machine.wait_outside = heddle_wait_outside;
  heddle_machine.reserve = heddle_map;
  heddle_machine.write_result = write_result;
  heddle_machine.read_job = read_job;
  heddle_machine.setting = setting;
  heddle_keep(&heddle_machine, sizeof heddle_machine);
}

static void __attribute__((noreturn)) run_driver(void) {
  if (heddle_take_snapshot() != 0) heddle_fail("/proc/self/maps cannot be read");
  _exit(drive(&heddle_machine));
}

/* In the worker: main stands before its first operation, and the driver takes over. */
static void hand_over(void) {
  enum { stack_size = 4 << 20 };
  heddle_set_up_signals();
  char* const stack_low = heddle_map(stack_size);
  heddle_driver_context.thread_pointer = heddle_donor_pointer(0);
  heddle_prepare(&heddle_driver_context, stack_low + stack_size, run_driver);
  struct heddle_thread* const self = &heddle_threads[0];
  self->view.op = HEDDLE_OP_START;
  self->is_bound = 1;
  self->context.thread_pointer = heddle_thread_pointer();
  heddle_switch(&self->context, &heddle_driver_context);
}

struct heddle_pulse* heddle_pulse;

static void* map_shared(size_t bytes) {
  void* const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) heddle_fail("no memory");
  return memory;
}

/* Looks at it every second: patience is for the first run that stands still, the others are known to be of its kind. */
static void watch_worker(unsigned* seconds, unsigned* patience, pid_t worker) {
  static uint64_t seen;
  if (seen != heddle_pulse->run) *seconds = 0;
  seen = heddle_pulse->run;
  if (++*seconds <= *patience) return;
  *seconds = 0;
  *patience = 1;
  heddle_pulse->blamed = seen;
  kill(worker, HEDDLE_GIVE_UP);
}

static int wait_for_worker(pid_t worker) {
  unsigned seconds = 0, patience = number_setting("HEDDLE_PATIENCE", 10);
  int status;
  sigset_t end;
  sigemptyset(&end);
  sigaddset(&end, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &end, NULL);
  while (waitpid(worker, &status, WNOHANG) <= 0) {
    siginfo_t info;
    const struct timespec second = {1, 0};
    if (syscall(SYS_rt_sigtimedwait, &end, &info, &second, sizeof(uint64_t)) < 0) watch_worker(&seconds, &patience, worker);
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  heddle_fail(WTERMSIG(status) == SIGKILL ? "the program was killed, by itself or for want of memory"
                                          : "the program ended by a signal: %s",
              strsignal(WTERMSIG(status)));
}

HEDDLE_HOOK int main(int argc, char** argv, char** envp) {
  const char* const file = getenv("HEDDLE_DRIVER");
  if (file == NULL) return heddle_run_real(argc, argv, envp);
  take_result_descriptor((int)number_setting("HEDDLE_RESULT", ~0u));
  heddle_set_up_heap();
  heddle_find_library();
  heddle_find_switch();
  fill_machine();
  heddle_set_up_ends();
  heddle_set_up_threads();
  heddle_set_up_objects();
  heddle_set_up_time();
  heddle_set_up_arrivals();
  heddle_set_up_atomics();
  heddle_set_up_files();
  heddle_set_up_mappings();
  heddle_set_up_schedule();
  heddle_begin_loading();
  drive = load_driver(file);
  heddle_begin_driver();
  if (heddle_make_donors(number_setting("HEDDLE_THREADS", 64)) != 0) heddle_fail("no threads can be started");
  /* A plain copy of the process: the C library's fork would tidy up after the donors. */
  main_top = __builtin_frame_address(0);
  heddle_pulse = map_shared(sizeof *heddle_pulse);
  const pid_t worker = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (worker != 0) _exit(worker < 0 ? 3 : wait_for_worker(worker));
  hand_over();
  __heddle1_standing = 1;
  exit(__heddle1_main(argc, argv, envp));
}
