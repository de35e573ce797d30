// Calls that refuse their arguments, and what they return then.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void show(const char *what, int result) { printf("%s %d\n", what, result); }

static void attributes_of_threads(void) {
  pthread_attr_t a;
  pthread_attr_init(&a);
  show("stack of one byte", pthread_attr_setstacksize(&a, 1));
  show("stack of a megabyte", pthread_attr_setstacksize(&a, 1 << 20));
  show("detach state 0", pthread_attr_setdetachstate(&a, 0));
  show("detach state 77", pthread_attr_setdetachstate(&a, 77));
  show("policy 2", pthread_attr_setschedpolicy(&a, SCHED_RR));
  show("policy 77", pthread_attr_setschedpolicy(&a, 77));
  show("inherit 1", pthread_attr_setinheritsched(&a, 1));
  show("inherit 77", pthread_attr_setinheritsched(&a, 77));
  show("scope of the system", pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM));
  show("scope of the process", pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS));
  show("scope 77", pthread_attr_setscope(&a, 77));
  show("guard", pthread_attr_setguardsize(&a, 1));
  show("end", pthread_attr_destroy(&a));
}

static void attributes_of_locks(void) {
  pthread_mutexattr_t m;
  pthread_condattr_t c;
  pthread_rwlockattr_t r;
  pthread_barrierattr_t b;
  pthread_mutexattr_init(&m);
  pthread_condattr_init(&c);
  pthread_rwlockattr_init(&r);
  pthread_barrierattr_init(&b);
  for (int value = -1; value < 4; value++) {
    show("kind", pthread_mutexattr_settype(&m, value));
    show("shared mutex", pthread_mutexattr_setpshared(&m, value));
    if (value != PTHREAD_PRIO_PROTECT) show("protocol", pthread_mutexattr_setprotocol(&m, value));
    if (value < 2) show("clock", pthread_condattr_setclock(&c, value));
    show("shared condition", pthread_condattr_setpshared(&c, value));
    show("shared rwlock", pthread_rwlockattr_setpshared(&r, value));
    show("kind of rwlock", pthread_rwlockattr_setkind_np(&r, value));
    show("shared barrier", pthread_barrierattr_setpshared(&b, value));
  }
  show("clock of the process", pthread_condattr_setclock(&c, CLOCK_PROCESS_CPUTIME_ID));
}

static void objects(void) {
  sem_t s;
  pthread_barrier_t b;
  void *memory = 0;
  show("semaphore", sem_init(&s, 0, ~0u));
  show("errno", errno);
  show("semaphore", sem_init(&s, 0, 0x7fffffff));
  show("post", sem_post(&s));
  show("errno", errno);
  show("barrier of none", pthread_barrier_init(&b, 0, 0));
  show("alignment 3", posix_memalign(&memory, 3, 8));
  show("alignment 4", posix_memalign(&memory, 4, 8));
  show("alignment 64", posix_memalign(&memory, 64, 8));
}

static void threads(void) {
  int before = 0;
  show("state 77", pthread_setcancelstate(77, &before));
  show("state", pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before));
  show("type 77", pthread_setcanceltype(77, &before));
  show("concurrency", pthread_setconcurrency(-1));
  show("long name", pthread_setname_np(pthread_self(), "a name that is too long"));
  show("name", pthread_setname_np(pthread_self(), "short"));
}

static void times(void) {
  errno = 0;
  show("sleep", nanosleep(&(struct timespec){0, -1}, 0));
  show("errno", errno);
  show("sleep", nanosleep(&(struct timespec){0, 1000000000}, 0));
  show("sleep", nanosleep(&(struct timespec){-1, 0}, 0));
  show("sleep", nanosleep(&(struct timespec){0, 1}, 0));
}

int main(void) {
  attributes_of_threads();
  attributes_of_locks();
  objects();
  threads();
  times();
  show("same variable", (getenv("HOME") == 0) == (getenv("HOME") == 0));
  show("buffer", setvbuf(stdout, 0, 77, 0) != 0);
  return 0;
}
