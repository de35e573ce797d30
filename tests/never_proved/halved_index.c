// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int a[4]; void*w(void*p){ int i=*(int*)p; a[i]++; return 0;} int id[4]; int main(){ pthread_t t[4]; for(int i=0;i<4;i++){ id[i]=i/2; pthread_create(&t[i],0,w,&id[i]); } return 0; }
