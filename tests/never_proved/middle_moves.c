// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int a[8]; int Mid; void*w(void*p){ for(int i=0;i<Mid;i++) a[i]=1; return 0;} void*v(void*p){ for(int i=Mid;i<8;i++) a[i]=2; return 0; } int main(){ Mid=3; pthread_t t,u; pthread_create(&t,0,w,0); Mid=2; pthread_create(&u,0,v,0); return 0; }
