// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
void*w(void*a){ pthread_mutex_lock(&L); x=1; x=0; pthread_mutex_unlock(&L); return 0;} int main(){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,bump,0); if(x) g=2; return 0; }
