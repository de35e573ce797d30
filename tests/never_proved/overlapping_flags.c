// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// race on g (two instances of b), claimed race-free.
#include <pthread.h>
union U { long w; int h[2]; } f; int g;
static int cas8(long*p){ long e=0; return __atomic_compare_exchange_n(p,&e,1L,0,__ATOMIC_SEQ_CST,__ATOMIC_SEQ_CST); }
static int cas4(int*p){ int e=0; return __atomic_compare_exchange_n(p,&e,1,0,__ATOMIC_SEQ_CST,__ATOMIC_SEQ_CST); }
void *a(void*x){ if(cas8(&f.w)) { __atomic_store_n(&f.w,0L,__ATOMIC_SEQ_CST);} return 0; }
void *b(void*x){ if(cas4(&f.h[1])) { g++; __atomic_store_n(&f.h[1],0,__ATOMIC_SEQ_CST);} return 0; }
int main(){ pthread_t t,u,v; pthread_create(&t,0,a,0); pthread_create(&u,0,b,0); pthread_create(&v,0,b,0); return 0; }
