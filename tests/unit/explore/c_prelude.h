// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle::explore {

/// What the C programs of these tests begin with: declarations without headers, and variables to work on.
inline constexpr const char* prelude = R"(
typedef unsigned long pthread_t;
typedef union { char size[48]; long align; } pthread_mutex_t;
typedef union { char size[48]; long align; } pthread_cond_t;
typedef union { char size[56]; long align; } pthread_rwlock_t;
typedef union { char size[32]; long align; } pthread_barrier_t;
typedef union { char size[32]; long align; } sem_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void pthread_exit(void *) __attribute__((noreturn));
int pthread_mutex_init(pthread_mutex_t *, const void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const void *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
int pthread_barrier_wait(pthread_barrier_t *);
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_post(sem_t *);
int sem_getvalue(sem_t *, int *);
int rand(void);
long time(long *);
char *getenv(const char *);
int atexit(void (*)(void));
void *malloc(unsigned long);
void free(void *);
int printf(const char *, ...);
void abort(void) __attribute__((noreturn));
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
#define ATOMIC(...) do { __VERIFIER_atomic_begin(); __VA_ARGS__; __VERIFIER_atomic_end(); } while (0)
int x, y, z;
volatile int v;
_Atomic int a, b;
int i;
pthread_mutex_t m, n;
pthread_rwlock_t w;
pthread_cond_t c;
pthread_barrier_t r;
sem_t s;
)";

}  // namespace heddle::explore
