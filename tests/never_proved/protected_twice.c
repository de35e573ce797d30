// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int main(){ pthread_t t,u; pthread_create(&t,0,setx,0); pthread_create(&u,0,bump,0); pthread_mutex_lock(&L); int a=x; pthread_mutex_unlock(&L); pthread_mutex_lock(&L); int b=x; pthread_mutex_unlock(&L); if(a!=b) g=2; return 0; }
