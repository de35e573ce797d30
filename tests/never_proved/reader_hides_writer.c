// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The writer must come before main's read lock, although another reader comes while main holds it.
#include "shared.h"
void *write(void *a) { pthread_rwlock_wrlock(&R); x = 1; pthread_rwlock_unlock(&R); g = 1; return 0; }
void *read(void *a) { pthread_rwlock_rdlock(&R); pthread_rwlock_unlock(&R); return 0; }
int main() { pthread_t t, u; pthread_create(&t, 0, write, 0); pthread_rwlock_rdlock(&R); int k = x; pthread_create(&u, 0, read, 0); pthread_join(u, 0); pthread_rwlock_unlock(&R); if (k) g = 2; pthread_join(t, 0); return 0; }
