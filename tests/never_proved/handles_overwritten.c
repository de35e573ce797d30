// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int main(){ pthread_t t[5]; for(int i=0;i<5;i++) { pthread_create(&t[i],0,bump,0);  pthread_create(&t[i],0,setx,0);} for(int i=0;i<5;i++) pthread_join(t[i],0); g=2; return 0; }
