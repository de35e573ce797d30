// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
static void unl(pthread_mutex_t*m){ pthread_mutex_unlock(m);} int main(){ pthread_t t,u; pthread_create(&t,0,setx,0); pthread_create(&u,0,bump,0); pthread_mutex_lock(&L); int a=x; unl(__VERIFIER_nondet_int()?&L:&M); pthread_mutex_trylock(&L); int b=x; if(a!=b) g=2; return 0; }
