// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// maybe is weak and defined nowhere: its address is null, g = 2 runs and races with w.
#include <pthread.h>
extern int maybe __attribute__((weak)); int g;
void *w(void*x){ g=1; return 0; }
int main(){ pthread_t t; pthread_create(&t,0,w,0); if(!&maybe) g=2; return 0; }
