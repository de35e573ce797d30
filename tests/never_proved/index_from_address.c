// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// q is &g: writes g, races with w.
#include <pthread.h>
char a[8]; char g;
void *w(void*p){ g=1; return 0; }
int main(){ pthread_t t; pthread_create(&t,0,w,0); int d=(int)((unsigned long)&g-(unsigned long)a); char *q=a+d; *q=2; return 0; }
