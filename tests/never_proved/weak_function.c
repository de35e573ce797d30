// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// likewise a weak function.
#include <pthread.h>
extern void maybe(void) __attribute__((weak)); int g;
void *w(void*x){ g=1; return 0; }
int main(){ pthread_t t; pthread_create(&t,0,w,0); if(!maybe) g=2; return 0; }
