# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The declarations that random programs use, without the system's headers: reading those takes longer than the
analysis.

Native runs and every program that says `real_headers` include the real ones.
"""

HEADERS = ["#define _GNU_SOURCE"] + [f"#include <{h}>" for h in (
    "pthread.h", "semaphore.h", "stdatomic.h", "stdlib.h", "string.h", "stdint.h", "stdbool.h")]

LIGHT = """
#define NULL ((void *)0)
typedef __SIZE_TYPE__ size_t; typedef __INTPTR_TYPE__ intptr_t; typedef __UINTPTR_TYPE__ uintptr_t; typedef _Bool bool;
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned long long uint64_t;
typedef unsigned long pthread_t; typedef int pthread_once_t; typedef unsigned pthread_key_t;
typedef union { char size[48]; long align; } pthread_mutex_t; typedef union { char size[48]; long long align; } pthread_cond_t;
typedef union { char size[56]; long align; } pthread_rwlock_t; typedef union { char size[32]; long align; } pthread_barrier_t;
typedef union { char size[32]; long align; } sem_t; typedef union { char size[8]; int align; } pthread_mutexattr_t;
#define PTHREAD_MUTEX_INITIALIZER {{0}}
#define PTHREAD_RWLOCK_INITIALIZER {{0}}
#define PTHREAD_COND_INITIALIZER {{0}}
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
int pthread_detach(pthread_t); void pthread_exit(void *) __attribute__((noreturn)); pthread_t pthread_self(void);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *); int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *); int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_trylock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *); int pthread_rwlock_wrlock(pthread_rwlock_t *); int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *); int pthread_rwlock_trywrlock(pthread_rwlock_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *); int pthread_cond_signal(pthread_cond_t *); int pthread_cond_broadcast(pthread_cond_t *);
int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned); int pthread_barrier_wait(pthread_barrier_t *);
int pthread_once(pthread_once_t *, void (*)(void));
int sem_init(sem_t *, int, unsigned); int sem_wait(sem_t *); int sem_trywait(sem_t *); int sem_post(sem_t *);
void *calloc(size_t, size_t); void *malloc(size_t); void free(void *); void abort(void) __attribute__((noreturn));
void exit(int) __attribute__((noreturn)); int atexit(void (*)(void));
void *memset(void *, int, size_t); void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t);
typedef _Atomic int atomic_int;
enum { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
#define atomic_load_explicit(p, o) __c11_atomic_load(p, o)
#define atomic_store_explicit(p, v, o) __c11_atomic_store(p, v, o)
#define atomic_exchange_explicit(p, v, o) __c11_atomic_exchange(p, v, o)
#define atomic_fetch_add_explicit(p, v, o) __c11_atomic_fetch_add(p, v, o)
#define atomic_compare_exchange_strong_explicit(p, e, v, s, f) __c11_atomic_compare_exchange_strong(p, e, v, s, f)
#define atomic_load(p) __c11_atomic_load(p, 5)
#define atomic_store(p, v) __c11_atomic_store(p, v, 5)
#define atomic_exchange(p, v) __c11_atomic_exchange(p, v, 5)
#define atomic_fetch_add(p, v) __c11_atomic_fetch_add(p, v, 5)
#define atomic_compare_exchange_strong(p, e, v) __c11_atomic_compare_exchange_strong(p, e, v, 5, 5)
""".strip().splitlines()

VERIFIER = ["extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void);",
            "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);"]


def prelude(native, real_headers):
    lines = (HEADERS if native or real_headers else LIGHT) + VERIFIER
    return lines + ["extern void pause_randomly(void);"] if native else lines
