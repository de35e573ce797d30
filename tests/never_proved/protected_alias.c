// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
void*w(void*a){ *px=5; return 0;} int main(){ pthread_t t,u,v; pthread_create(&t,0,setx,0); pthread_create(&u,0,bump,0); pthread_create(&v,0,w,0); pthread_mutex_lock(&L); int a=x; int b=x; pthread_mutex_unlock(&L); if(a!=b) g=2; return 0; }
