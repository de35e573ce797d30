// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of a semaphore that is never waited for become those of one that is.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
struct Sg0 { sem_t m; int x; } g0 = { {{1}}, 0 };
struct Sg1 { sem_t m; int x; }; struct Sg1 *g1;
pthread_t h0, h1;
static void *t0(void *arg) { sem_wait(&g0.m); g0.x++; return 0; }
static void *t1(void *arg) { (void)*(volatile int *)&g0.x; return 0; }
int main(void) {
  g1 = malloc(sizeof *g1);
  sem_init(&g1->m, 0, 2);
  memcpy(&g0.m, &g1->m, sizeof g0.m);
  pthread_create(&h0, 0, t0, 0);
  pthread_create(&h1, 0, t1, 0);
  return 0;
}
