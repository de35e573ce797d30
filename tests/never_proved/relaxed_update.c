// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// the reader gets the pointer by a relaxed read-modify-write, so *p = 1 and the read of *v are not ordered.
#include <pthread.h>
#include <stdlib.h>
#include <stdint.h>
uintptr_t slot;
void *r(void*x){ uintptr_t v=__atomic_fetch_add(&slot,0,__ATOMIC_RELAXED); if(v) { int k=*(int*)v; return k?x:0;} return 0; }
int main(){ pthread_t t; pthread_create(&t,0,r,0); int*p=malloc(4); *p=1; __atomic_store_n(&slot,(uintptr_t)p,__ATOMIC_RELEASE); return 0; }
