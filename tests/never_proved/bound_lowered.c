// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int main(){ int n=__VERIFIER_nondet_int(); if(n<1||n>5) return 0; pthread_t t[5]; for(int i=0;i<n;i++) pthread_create(&t[i],0,bump,0); n--; for(int i=0;i<n;i++) pthread_join(t[i],0); g=2; return 0; }
