// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
_Atomic int l; void*w(void*a){ int e=0; if(atomic_compare_exchange_strong(&l,&e,1)){ l=0; g++; } return 0;} int main(){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,w,0); return 0; }
