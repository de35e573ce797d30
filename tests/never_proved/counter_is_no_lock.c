// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
_Atomic int l; void*w(void*a){ atomic_fetch_add(&l,1); if(l>=1) g++; atomic_fetch_sub(&l,1); return 0;} int main(){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,w,0); return 0; }
