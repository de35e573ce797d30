// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
void*w(void*a){ __VERIFIER_atomic_begin(); g++; __VERIFIER_atomic_end(); return 0; } int main(){ pthread_t t,u; pthread_create(&t,0,w,0); pthread_create(&u,0,w,0); __VERIFIER_atomic_end(); pthread_join(t,0); pthread_join(u,0); return 0; }
