// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
void once(void){ x=1; } pthread_once_t O=PTHREAD_ONCE_INIT; void*w(void*a){ pthread_once(&O,once); x++; return 0;} int main(){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,w,0); return 0; }
