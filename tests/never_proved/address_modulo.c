// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// d is the distance of g and a (a % ~0ul is the address itself): the write hits g. Family "parts of addresses", weaker case.
#include <pthread.h>
char a[8];char g;
void *w(void*p){ g=1; return 0; }
int main(){ pthread_t t; pthread_create(&t,0,w,0); unsigned long M=~0ul; unsigned long d=(unsigned long)&g%M-(unsigned long)a%M; *(char*)((unsigned long)a+d)=2; return 0; }
