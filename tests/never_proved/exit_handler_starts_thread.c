// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f1 runs at exit, starts w, then f2 (registered first, so run later) writes g beside w.
#include <pthread.h>
#include <stdlib.h>
int g;
void *w(void*x){ g=1; return 0; }
void f1(void){ pthread_t t; pthread_create(&t,0,w,0); }
void f2(void){ g=2; }
int main(){ atexit(f2); atexit(f1); return 0; }
