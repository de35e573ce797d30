// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
_Atomic int f; void*w(void*a){ f=1; return 0;} int main(){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,bump,0); pthread_mutex_lock(&L); int a=f; int b=f; pthread_mutex_unlock(&L); if(a!=b) g=2; return 0; }
