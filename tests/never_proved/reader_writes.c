// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
void*w(void*a){ pthread_rwlock_rdlock(&R); x=1; pthread_rwlock_unlock(&R); return 0;} int main(){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,bump,0); pthread_rwlock_rdlock(&R); int a=x; int b=x; pthread_rwlock_unlock(&R); if(a!=b) g=2; return 0; }
