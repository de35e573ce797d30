// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a failing compare-exchange with failure order relaxed reads the pointer: *e is not ordered behind *p = 1.
#include <pthread.h>
#include <stdlib.h>
#include <stdint.h>
int *slot; int z;
void *r(void*x){ int *e=0; if(!__atomic_compare_exchange_n(&slot,&e,&z,0,__ATOMIC_SEQ_CST,__ATOMIC_RELAXED)) { int k=*e; return k?x:0;} return 0; }
int main(){ pthread_t t; pthread_create(&t,0,r,0); int*p=malloc(4); *p=1; __atomic_store_n(&slot,p,__ATOMIC_RELEASE); return 0; }
