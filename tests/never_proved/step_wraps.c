// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// instances 0 and 4 both have i == 0 (4 * (4<<60) wraps to 0, unsigned, defined): a[0]++ races.
#include <pthread.h>
char a[8];
void *w(void*p){ unsigned long k=(unsigned long)p; unsigned long i=k*4; if(i<8) a[i]++; return 0; }
int main(){ pthread_t t[5]; for(unsigned long i=0;i<5;i++) pthread_create(&t[i],0,w,(void*)(i<<60)); return 0; }
