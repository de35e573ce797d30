// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
_Atomic int l; void*w(void*a){ int e=0; while(!atomic_compare_exchange_strong(&l,&e,1)) e=0; g++; atomic_store_explicit(&l,0,memory_order_relaxed); return 0;} int main(){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,w,0); return 0; }
