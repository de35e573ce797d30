// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
_Atomic int l; void*w(void*a){ if(atomic_exchange(&l,1)==1) g++; l=0; return 0;} int main(){ pthread_t t,u,v; pthread_create(&t,0,w,0); pthread_create(&u,0,w,0);pthread_create(&v,0,w,0); return 0; }
