// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
void*w(void*a){ pthread_rwlock_wrlock(&R); x=1; pthread_rwlock_unlock(&R); return 0;} int main(){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,bump,0); pthread_rwlock_rdlock(&R); int a=x; pthread_rwlock_unlock(&R); pthread_rwlock_rdlock(&R); if(x!=a) g=2; pthread_rwlock_unlock(&R); return 0; }
