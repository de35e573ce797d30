// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int a[8]; int N; void*w(void*p){ long k=(long)p; for(int i=0;i<N;i++) a[k+i]++; return 0;} int main(){ N=__VERIFIER_nondet_int(); pthread_t t[3]; for(long i=0;i<3;i++) pthread_create(&t[i],0,w,(void*)(i*2)); return 0; }
