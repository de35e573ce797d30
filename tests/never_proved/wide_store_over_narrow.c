// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a: the 8 byte store sets h[0] to 0, so g = 1 runs and races with b (g = 2).
#include <pthread.h>
union U { long w; int h[2]; } f; int g;
void *a(void*x){ __atomic_store_n(&f.h[0],1,__ATOMIC_SEQ_CST); __atomic_store_n(&f.w,0L,__ATOMIC_SEQ_CST); if(__atomic_load_n(&f.h[0],__ATOMIC_SEQ_CST)!=1) g=1; return 0; }
void *b(void*x){ __atomic_store_n(&f.h[1],1,__ATOMIC_SEQ_CST); g=2; return 0; }
int main(){ pthread_t t,u; pthread_create(&t,0,a,0); pthread_create(&u,0,b,0); return 0; }
