// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a and b are the old and new value of S.x, b != a is possible, g = 2 races with w2.
#include <pthread.h>
struct __attribute__((packed)) P { unsigned x:24; } S; int g;
extern int __VERIFIER_nondet_int(void);
void *w(void*a){ return 0; }
void *w2(void*a){ g=1; return 0; }
int main(){ pthread_t t; S.x=__VERIFIER_nondet_int();
 pthread_create(&t,0,w,0); unsigned a=S.x; pthread_join(t,0);
 S.x=__VERIFIER_nondet_int(); 
 pthread_create(&t,0,w2,0); unsigned b=S.x; if(a!=b) g=2; return 0; }
