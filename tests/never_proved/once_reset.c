// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// the control is reset by a plain assignment: init runs again in w while main reads g "behind" its own once.
#include <pthread.h>
pthread_once_t c=PTHREAD_ONCE_INIT; int g;
void init(void){ g++; }
void *w(void*x){ pthread_once(&c,init); return 0; }
int main(){ pthread_t t; pthread_once(&c,init); c=PTHREAD_ONCE_INIT; pthread_create(&t,0,w,0); int r=g; pthread_join(t,0); return r; }
