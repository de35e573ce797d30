// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// likewise, other entry: a frees its 4 byte flag by an 8 byte store, which also frees the flag b holds.
#include <pthread.h>
/* flag in one phase, released 8 bytes wide over a neighbour flag */
union { long w; int h[2]; } f; int g;
void *a(void*x){ int e=0; if(__atomic_compare_exchange_n(&f.h[0],&e,1,0,5,5)) __atomic_store_n(&f.w,0L,5); return 0; }
void *b(void*x){ int e=0; if(__atomic_compare_exchange_n(&f.h[1],&e,1,0,5,5)) { g++; __atomic_store_n(&f.h[1],0,5);} return 0; }
int main(){ pthread_t t,u,v; pthread_create(&t,0,a,0); pthread_create(&u,0,b,0); pthread_create(&v,0,b,0); return 0; }
