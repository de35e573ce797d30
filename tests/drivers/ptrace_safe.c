// Ptrace after kernel/ptrace.c: a debugger works without locks on a tracee that stands still, traced and frozen.
// The historical race is mended here, as in Linux 6.1: ptrace_resume() sets exit_code with siglock, with which a
// sibling of the debugger looks whether the tracee has stopped (wait_task_stopped). All else is kept apart by the
// state of the tracee (under siglock), by who traces it and has reaped it (under tasklist_lock), and by the users of
// its memory (under alloc_lock).
// LEFT: 20
#include <pthread.h>

// PT_ATTACHING: the attacher sets up what only it and the tracee will use
enum { PT_NONE, PT_ATTACHING, PT_PTRACED };

#define JOBCTL_TRACED 1
#define JOBCTL_FROZEN 2  // a request is in progress: nothing wakes the tracee up, not even a kill

enum { EXIT_ZOMBIE = 1, EXIT_DEAD };

#define OPT_SYSCALLS 1
#define OPT_STEP 2
#define PAGE_WORDS 64
#define ROUNDS 500
#define STOPS_MAX 400

#define SIGTRAP 5
#define SIGKILL 9
#define EPERM 1
#define ESRCH 3
#define EIO 5

enum { PTRACE_PEEKUSR, PTRACE_POKEDATA, PTRACE_SETSIGMASK, PTRACE_GETEVENTMSG, PTRACE_CONT, PTRACE_DETACH };

struct pt_regs {
  long ip, ax;
};

struct mm_struct {
  pthread_mutex_t alloc_lock;
  int users;
  int total_vm;
  long page[PAGE_WORDS];
};

struct debugger {
  int uid;
  long value;
};

struct task_struct {
  pthread_mutex_t siglock;  // for what follows up to exiting
  pthread_cond_t wait_chldexit;
  int jobctl;
  int exit_code;
  int stops;
  int sigkill;
  int exiting;

  int ptrace;  // under tasklist_lock, as parent and exit_state are
  struct debugger *parent;
  int exit_state;

  struct mm_struct *mm;  // under alloc_lock

  struct pt_regs regs;
  unsigned blocked;
  int options;
  int debugreg;
  int ptracer_uid;
  int ptrace_message;
  int last_signo;
  long utime;
};

static pthread_mutex_t tasklist_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mm_struct child_mm = {.alloc_lock = PTHREAD_MUTEX_INITIALIZER, .users = 1, .total_vm = PAGE_WORDS};
static struct task_struct child_task = {
  .siglock = PTHREAD_MUTEX_INITIALIZER,
  .wait_chldexit = PTHREAD_COND_INITIALIZER,
  .mm = &child_mm,
};
static struct debugger gdb = {.uid = 1000};
static struct debugger strace = {.uid = 1001};
static long cutime;

// ---- memory

static struct mm_struct *get_task_mm(struct task_struct *task) {
  struct mm_struct *mm;

  pthread_mutex_lock(&child_mm.alloc_lock);
  mm = task->mm;
  if (mm)
    mm->users++;  // NORACE: under alloc_lock
  pthread_mutex_unlock(&child_mm.alloc_lock);
  return mm;
}

static void mmput(struct mm_struct *mm) {
  int last, i;

  pthread_mutex_lock(&mm->alloc_lock);
  mm->users--;  // NORACE: under alloc_lock
  last = mm->users == 0;  // NORACE: under alloc_lock
  pthread_mutex_unlock(&mm->alloc_lock);
  if (!last)
    return;
  // exit_mmap(): the last user, and there will be no other, for the task has let go of it.
  mm->total_vm = 0;  // NORACE: users is 0: the task has let go, nobody gets it again
  for (i = 0; i < PAGE_WORDS; i++)
    mm->page[i] = 0;  // NORACE: users is 0: the task has let go, nobody gets it again
}

static int proc_total_vm(struct task_struct *task) {
  struct mm_struct *mm = get_task_mm(task);
  int pages;

  if (!mm)
    return 0;
  pages = mm->total_vm;  // NORACE: users > 0: we are one of them
  mmput(mm);
  return pages;
}

// ---- the tracee

// Stops for the debugger and returns the signal it wants delivered.
static int ptrace_stop(struct task_struct *task, int code, int message) {
  int signo = SIGKILL;

  task->ptrace_message = message;  // NORACE: it runs: a debugger only works on one that is frozen
  task->last_signo = code;  // NORACE: it runs: a debugger only works on one that is frozen

  pthread_mutex_lock(&task->siglock);
  if (!task->sigkill) {
    task->exit_code = code;  // NORACE: under siglock, and not frozen
    task->jobctl |= JOBCTL_TRACED;
    task->stops++;
    pthread_cond_broadcast(&task->wait_chldexit);
    while (task->jobctl & JOBCTL_TRACED)
      pthread_cond_wait(&task->wait_chldexit, &task->siglock);
    signo = task->exit_code;  // NORACE: under siglock, and not frozen
    task->exit_code = 0;  // NORACE: under siglock, and not frozen
  }
  pthread_mutex_unlock(&task->siglock);
  return signo;
}

// A running tracee stays traced: debuggers detach from one that is frozen.
static int ptrace_event(struct task_struct *task, int message) {
  int traced;

  pthread_mutex_lock(&tasklist_lock);
  traced = task->ptrace == PT_PTRACED;
  pthread_mutex_unlock(&tasklist_lock);
  if (!traced)
    return 0;
  if (!(task->options & OPT_SYSCALLS) && task->debugreg == 0)  // NORACE: traced and running: nobody detaches
    return 0;
  return ptrace_stop(task, SIGTRAP, message);
}

static void do_exit(struct task_struct *task) {
  struct mm_struct *mm = &child_mm;

  pthread_mutex_lock(&mm->alloc_lock);
  task->mm = 0;
  pthread_mutex_unlock(&mm->alloc_lock);
  mmput(mm);

  pthread_mutex_lock(&tasklist_lock);
  task->exit_state = EXIT_ZOMBIE;
  pthread_mutex_lock(&task->siglock);
  task->exiting = 1;
  pthread_cond_broadcast(&task->wait_chldexit);
  pthread_mutex_unlock(&task->siglock);
  pthread_mutex_unlock(&tasklist_lock);
}

static void *tracee(void *arg) {
  struct task_struct *current = arg;
  struct mm_struct *mm = &child_mm;

  for (int i = 0; i < ROUNDS; i++) {
    current->regs.ip += 4;  // NORACE: it runs: a debugger only works on one that is frozen
    current->regs.ax = i;  // NORACE: it runs: a debugger only works on one that is frozen
    current->blocked ^= 1u << (i % 32);  // NORACE: it runs: a debugger only works on one that is frozen
    current->utime += 10;  // NORACE: read when it is a zombie
    mm->page[i % PAGE_WORDS] += i;  // NORACE: it runs, and is a user
    if (ptrace_event(current, i) == SIGKILL)
      break;
  }
  do_exit(current);
  return 0;
}

// ---- the debuggers

static int ptrace_attach(struct task_struct *task, struct debugger *tracer, int options) {
  int retval = -EPERM;

  pthread_mutex_lock(&tasklist_lock);
  if (!task->exit_state && task->ptrace == PT_NONE) {
    task->ptrace = PT_ATTACHING;
    task->parent = tracer;
    retval = 0;
  }
  pthread_mutex_unlock(&tasklist_lock);
  if (retval)
    return retval;

  // The tracee does not look before it is PT_PTRACED, another debugger not before we have detached.
  task->ptracer_uid = tracer->uid;  // NORACE: ATTACHING: nobody else looks before PT_PTRACED
  task->options = options;  // NORACE: ATTACHING: nobody else looks before PT_PTRACED
  task->debugreg = 0;  // NORACE: ATTACHING: nobody else looks before PT_PTRACED

  pthread_mutex_lock(&tasklist_lock);
  task->ptrace = PT_PTRACED;
  pthread_mutex_unlock(&tasklist_lock);
  return 0;
}

static int ptrace_freeze_traced(struct task_struct *task) {
  int frozen;

  pthread_mutex_lock(&task->siglock);
  frozen = (task->jobctl & JOBCTL_TRACED) && !task->sigkill;
  if (frozen)
    task->jobctl |= JOBCTL_FROZEN;
  pthread_mutex_unlock(&task->siglock);
  return frozen;
}

// A kill that came meanwhile has left it to us to wake the tracee up.
static void ptrace_unfreeze_traced(struct task_struct *task) {
  pthread_mutex_lock(&task->siglock);
  task->jobctl &= ~JOBCTL_FROZEN;
  if (task->sigkill) {
    task->jobctl &= ~JOBCTL_TRACED;
    pthread_cond_broadcast(&task->wait_chldexit);
  }
  pthread_mutex_unlock(&task->siglock);
}

static int ptrace_check_attach(struct task_struct *child, struct debugger *tracer) {
  int ret = -ESRCH;

  pthread_mutex_lock(&tasklist_lock);
  if (child->ptrace == PT_PTRACED && child->parent == tracer && ptrace_freeze_traced(child))
    ret = 0;
  pthread_mutex_unlock(&tasklist_lock);
  return ret;
}

static int ptrace_access_vm(struct task_struct *child, unsigned long addr, long data) {
  struct mm_struct *mm = get_task_mm(child);

  if (!mm)
    return -EIO;
  mm->page[addr % PAGE_WORDS] = data;  // NORACE: frozen: the tracee stands still; users > 0
  mmput(mm);
  return 0;
}

// Single steps, and more of them when the page has breakpoints to step over.
static void user_enable_single_step(struct task_struct *child) {
  struct mm_struct *mm;
  int i;

  child->debugreg = 1;  // NORACE: frozen: the tracee stands still until we resume it
  for (i = 0; i < PAGE_WORDS; i++) {
    mm = get_task_mm(child);
    if (!mm)
      return;
    if (mm->page[i] == 0xcc)  // NORACE: frozen: the tracee stands still; users > 0
      child->debugreg++;  // NORACE: frozen: the tracee stands still until we resume it
    mmput(mm);
  }
}

static int ptrace_resume(struct task_struct *child, int data) {
  if (data < 0)
    return -EIO;
  child->debugreg = 0;  // NORACE: frozen: the tracee stands still until we resume it
  if (child->options & OPT_STEP)  // NORACE: frozen: the tracee stands still until we resume it
    user_enable_single_step(child);
  pthread_mutex_lock(&child->siglock);
  child->exit_code = data;  // NORACE: under siglock
  child->jobctl &= ~(JOBCTL_TRACED | JOBCTL_FROZEN);
  pthread_cond_broadcast(&child->wait_chldexit);
  pthread_mutex_unlock(&child->siglock);
  return 0;
}

static int ptrace_detach(struct task_struct *child) {
  child->debugreg = 0;  // NORACE: frozen: the tracee stands still until we resume it
  pthread_mutex_lock(&tasklist_lock);
  child->ptrace = PT_NONE;
  child->parent = 0;
  pthread_mutex_lock(&child->siglock);
  child->exit_code = 0;  // NORACE: under siglock, and it is us who trace
  child->jobctl &= ~(JOBCTL_TRACED | JOBCTL_FROZEN);
  pthread_cond_broadcast(&child->wait_chldexit);
  pthread_mutex_unlock(&child->siglock);
  pthread_mutex_unlock(&tasklist_lock);
  return 0;
}

static int sys_ptrace(struct debugger *tracer, struct task_struct *child, int request, unsigned long addr, long data) {
  int ret = ptrace_check_attach(child, tracer);

  if (ret)
    return ret;
  switch (request) {
  case PTRACE_PEEKUSR:
    tracer->value = child->regs.ip + child->regs.ax;  // NORACE: frozen: the tracee stands still until we resume it
    break;
  case PTRACE_POKEDATA:
    if (child->ptracer_uid == tracer->uid)  // NORACE: we trace it, so nobody attaches
      ret = ptrace_access_vm(child, addr, data);
    break;
  case PTRACE_SETSIGMASK:
    child->blocked = (unsigned)data;  // NORACE: frozen: the tracee stands still until we resume it
    break;
  case PTRACE_GETEVENTMSG:
    if (child->last_signo == SIGTRAP)  // NORACE: frozen: the tracee stands still until we resume it
      tracer->value = child->ptrace_message;  // NORACE: frozen: the tracee stands still until we resume it
    break;
  case PTRACE_CONT:
    ret = ptrace_resume(child, (int)data);
    break;
  case PTRACE_DETACH:
    return ptrace_detach(child);
  }
  if (ret || request != PTRACE_CONT)
    ptrace_unfreeze_traced(child);
  return ret;
}

// Waits until the tracee has stopped (1) or exits (0).
static int ptrace_wait_stop(struct task_struct *child) {
  int stopped;

  pthread_mutex_lock(&child->siglock);
  while (!(child->jobctl & JOBCTL_TRACED) && !child->exiting)
    pthread_cond_wait(&child->wait_chldexit, &child->siglock);
  stopped = (child->jobctl & JOBCTL_TRACED) != 0;
  pthread_mutex_unlock(&child->siglock);
  return stopped;
}

// Who finds the zombie first buries it, alone.
static int wait_task_zombie(struct task_struct *child) {
  int mine;

  pthread_mutex_lock(&tasklist_lock);
  mine = child->exit_state == EXIT_ZOMBIE;
  if (mine)
    child->exit_state = EXIT_DEAD;
  pthread_mutex_unlock(&tasklist_lock);
  if (mine)
    cutime += child->utime;  // NORACE: a zombie writes no more, and only one makes it EXIT_DEAD
  return mine;
}

static void *gdb_main(void *arg) {
  struct task_struct *child = arg;
  int stops = 0;

  if (ptrace_attach(child, &gdb, OPT_SYSCALLS | OPT_STEP))
    return 0;
  while (ptrace_wait_stop(child)) {
    stops++;
    if (stops % 4 == 0) {
      sys_ptrace(&gdb, child, PTRACE_PEEKUSR, 0, 0);
      sys_ptrace(&gdb, child, PTRACE_POKEDATA, (unsigned long)stops, stops);
    }
    if (stops >= STOPS_MAX && sys_ptrace(&gdb, child, PTRACE_DETACH, 0, 0) == 0)
      return 0;
    sys_ptrace(&gdb, child, PTRACE_CONT, 0, 0);
  }
  wait_task_zombie(child);
  return 0;
}

static void *strace_main(void *arg) {
  struct task_struct *child = arg;

  if (proc_total_vm(child) == 0 || ptrace_attach(child, &strace, OPT_SYSCALLS))
    return 0;
  while (ptrace_wait_stop(child)) {
    sys_ptrace(&strace, child, PTRACE_GETEVENTMSG, 0, 0);
    sys_ptrace(&strace, child, PTRACE_SETSIGMASK, 0, 6);
    if (sys_ptrace(&strace, child, PTRACE_DETACH, 0, 0) == 0)
      break;
  }
  return 0;
}

// With siglock.
static int task_stopped_code(struct task_struct *task) {
  if (!(task->jobctl & JOBCTL_TRACED))
    return 0;
  return task->exit_code;  // NORACE: under siglock
}

// A sibling thread of gdb in waitid(): it looks and leaves the report to gdb (WNOWAIT), but may bury a zombie.
static void *gdb_waitid(void *arg) {
  struct task_struct *child = arg;
  int seen = 0, exiting = 0;

  while (!exiting) {
    pthread_mutex_lock(&child->siglock);
    while ((child->stops == seen || task_stopped_code(child) == 0) && !child->exiting)
      pthread_cond_wait(&child->wait_chldexit, &child->siglock);
    seen = child->stops;
    exiting = child->exiting;
    pthread_mutex_unlock(&child->siglock);
  }
  wait_task_zombie(child);
  return 0;
}

// Kills a tracee that stops too often; one that is frozen is woken up when its debugger has done.
static void *watchdog(void *arg) {
  struct task_struct *victim = arg;

  pthread_mutex_lock(&victim->siglock);
  while (victim->stops < STOPS_MAX && !victim->exiting)
    pthread_cond_wait(&victim->wait_chldexit, &victim->siglock);
  victim->sigkill = 1;
  if ((victim->jobctl & JOBCTL_TRACED) && !(victim->jobctl & JOBCTL_FROZEN)) {
    victim->jobctl &= ~JOBCTL_TRACED;
    pthread_cond_broadcast(&victim->wait_chldexit);
  }
  pthread_mutex_unlock(&victim->siglock);
  return 0;
}

int main(void) {
  pthread_t debugger, other, sibling, child, killer;

  pthread_create(&debugger, 0, gdb_main, &child_task);
  pthread_create(&other, 0, strace_main, &child_task);
  pthread_create(&sibling, 0, gdb_waitid, &child_task);
  pthread_create(&child, 0, tracee, &child_task);
  pthread_create(&killer, 0, watchdog, &child_task);
  pthread_join(debugger, 0);
  pthread_join(other, 0);
  pthread_join(sibling, 0);
  pthread_join(child, 0);
  pthread_join(killer, 0);
  return cutime < 0;
}
