// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main leaves with m held, f1 unlocks it, f2 writes g without a lock.
#include <pthread.h>
#include <stdlib.h>
int g; pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
void *w(void*x){ pthread_mutex_lock(&m); g=1; pthread_mutex_unlock(&m); return 0; }
void f1(void){ pthread_mutex_unlock(&m); }
void f2(void){ g=2; }
int main(){ pthread_t t; atexit(f2); atexit(f1); pthread_create(&t,0,w,0); pthread_mutex_lock(&m); return 0; }
