// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// k = N (e.g. 2) in v, and k = N - 2^63 in w give the same 2ul*k: both write a[2N].
#include <pthread.h>
extern long __VERIFIER_nondet_long(void);
char a[8]; long N;
void *w(void*p){ long k=__VERIFIER_nondet_long(); if(k<N) { unsigned long i=2ul*(unsigned long)k; if(i<8) a[i]=1; } return 0; }
void *v(void*p){ long k=__VERIFIER_nondet_long(); if(k>=N) { unsigned long i=2ul*(unsigned long)k; if(i<8) a[i]=2; } return 0; }
int main(){ pthread_t t; N=__VERIFIER_nondet_long(); pthread_create(&t,0,w,0); pthread_create(&t,0,v,0); return 0; }
