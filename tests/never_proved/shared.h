// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What most of the programs here start from.
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
int g, x, y;
int* px = &x;
pthread_mutex_t L = PTHREAD_MUTEX_INITIALIZER, M = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t C = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t R = PTHREAD_RWLOCK_INITIALIZER;
static void* bump(void* a) {
  g++;
  return 0;
}
static void* setx(void* a) {
  pthread_mutex_lock(&L);
  x = 1;
  pthread_cond_signal(&C);
  pthread_mutex_unlock(&L);
  return 0;
}
