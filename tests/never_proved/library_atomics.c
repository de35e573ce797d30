// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pointer passed by library atomics (24 bytes) with relaxed order: *p = 1 and the read of *v.p are not ordered.
#include <pthread.h>
#include <stdlib.h>
struct B { int *p; long a,b; } slot __attribute__((aligned(8)));
void *r(void*x){ struct B v; __atomic_load(&slot,&v,__ATOMIC_RELAXED); if(v.p) { int k=*v.p; return k?x:0;} return 0; }
int main(){ pthread_t t; pthread_create(&t,0,r,0); int*p=malloc(4); *p=1; struct B v={p,0,0}; __atomic_store(&slot,&v,__ATOMIC_RELAXED); return 0; }
