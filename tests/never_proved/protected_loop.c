// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
void*w(void*a){ for(int i=0;i<3;i++){ pthread_mutex_lock(&L); x++; pthread_mutex_unlock(&L);} return 0;} int main(){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,bump,0); int s=0; for(int i=0;i<3;i++){ pthread_mutex_lock(&L); s=x; if(s==2) break; pthread_mutex_unlock(&L);} if(s==2) g=2; return 0; }
