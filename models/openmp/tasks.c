// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks: a task is a thread, unless the team has only one.

/// In front of what the program knows as the task.
struct task {
  struct team *team;
  word bytes;
};

//@ template task_memory
void *made_$k(void *place, int thread, int flags, word bytes, word shared, void *entry) __asm__("$symbol");
void *made_$k(void *place, int thread, int flags, word bytes, word shared, void *entry) {
  char *memory = __heddle_memory(sizeof(struct task) + bytes + shared);
  struct task *task = (struct task *)memory;
  char *known = memory + sizeof(struct task);
  task->team = here.team;
  task->bytes = bytes;
  ((void **)known)[0] = known + bytes;
  ((void **)known)[1] = entry;
  ((int *)(known + 2 * sizeof(void *)))[0] = 0;
  return known;
}
//@ end

//@ template task
extern int task_entry_$k(int, void *) __asm__("$entry") __attribute__((nothrow));
static _Thread_local word children_$k;
static void children_end_$k(void);
static void *task_run_$k(void *argument) {
#ifdef HEDDLE_THREAD_LOCALS
  __heddle_own_storage();
#endif
  enter(((struct task *)argument)->team, -1, 0);
  task_entry_$k(-1, (char *)argument + sizeof(struct task));
  children_end_$k();
  return 0;
}
static void task_start_$k(void *known) {
  if (size_now() == 1)
    task_entry_$k(here.number, known);
  else
    __heddle_start(&children_$k, task_run_$k, (char *)known - sizeof(struct task));
}
int task_$k(void *place, int thread, void *known) __asm__("$symbol");
int task_$k(void *place, int thread, void *known) {
  task_start_$k(known);
  return 0;
}
//@ end

#define WAIT_FOR(k)           \
  __heddle_join(children_##k); \
  children_##k = 0;
#define OR_LEFT(k) | (children_##k != 0)

static void wait_for_children(void) { HEDDLE_EACH_task(WAIT_FOR) }
static int has_children(void) { return 0 HEDDLE_EACH_task(OR_LEFT); }
/// Tasks that outlive the task that made them: a barrier would wait for them, and nothing here does.
#define CHILDREN_END(k) \
  static void children_end_##k(void) { if (has_children()) __heddle_unknown(); }
HEDDLE_EACH_task(CHILDREN_END)

int __kmpc_omp_taskwait(void *place, int thread) {
  wait_for_children();
  return 0;
}
int __kmpc_omp_taskyield(void *place, int thread, int end) { return 0; }
/// Only those made in the group are waited for at its end.
void __kmpc_taskgroup(void *place, int thread) { if (has_children()) __heddle_children_left(); }
void __kmpc_end_taskgroup(void *place, int thread) { wait_for_children(); }
/// The program calls the task itself, and what that waits for are its own children.
void __kmpc_omp_task_begin_if0(void *place, int thread, void *task) {
  if (has_children()) __heddle_children_left();
}
void __kmpc_omp_task_complete_if0(void *place, int thread, void *task) {
  if (has_children()) __heddle_children_left();
}
/// Dependences only order: nothing rests on them here, and no run may go on.
void __kmpc_omp_wait_deps(void *place, int thread, int count, void *list, int others, void *other_list) {
  __heddle_unknown();
}
void __kmpc_omp_taskwait_deps_51(void *place, int thread, int count, void *list, int others, void *other_list,
                                 int has_no_wait) {
  __heddle_unknown();
}

static unsigned long long any_number(void) {
  return (unsigned long long)(unsigned)__heddle_any() << 32 | (unsigned)__heddle_any();
}

//@ template task_after
int task_after_$k(void *place, int thread, void *known, int count, void *list, int others, void *other_list)
    __asm__("$symbol");
int task_after_$k(void *place, int thread, void *known, int count, void *list, int others, void *other_list) {
  __heddle_unknown();
  task_start_$k(known);
  return 0;
}
//@ end

/// Copies of the task, each with some of the iterations.
//@ template task_loop
void task_loop_$k(void *place, int thread, void *known, int is_run, unsigned long long *low, unsigned long long *high,
                  long long step, int has_no_group, int how, unsigned long long size,
                  void (*copy)(void *, void *, int)) __asm__("$symbol");
void task_loop_$k(void *place, int thread, void *known, int is_run, unsigned long long *low, unsigned long long *high,
                  long long step, int has_no_group, int how, unsigned long long size,
                  void (*copy)(void *, void *, int)) {
  struct task *task = (struct task *)((char *)known - sizeof(struct task));
  if (!has_no_group && has_children()) __heddle_children_left();
  __heddle_unknown();
  do {
    char *memory = __heddle_memory(sizeof(struct task) + task->bytes);
    char *other = memory + sizeof(struct task);
    __builtin_memcpy(memory, task, sizeof(struct task) + task->bytes);
    *(unsigned long long *)(other + ((char *)low - (char *)known)) = any_number();
    *(unsigned long long *)(other + ((char *)high - (char *)known)) = any_number();
    if (copy) copy(other, known, __heddle_any());
    task_start_$k(other);
  } while (__heddle_any());
  if (!has_no_group) wait_for_children();
}
//@ end
