// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int main(){ pthread_t t,u; int c=__VERIFIER_nondet_int(); pthread_create(&t,0,setx,0); pthread_create(&u,0,bump,0); if(c) pthread_mutex_lock(&L); int a=x; int b=x; if(c) pthread_mutex_unlock(&L); if(a!=b) g=2; return 0; }
