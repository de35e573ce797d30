// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int a[8]; void*w(void*p){ long k=(long)p; for(int i=k*2;i<=k*2+2;i++) a[i]++; return 0;} int main(){ pthread_t t[3]; for(long i=0;i<3;i++) pthread_create(&t[i],0,w,(void*)i); return 0; }
