// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only a try that meets the lock in the hands of the thread that polls writes.
#include "shared.h"
void *poll(void *a) { int f; do { pthread_mutex_lock(&L); f = x; pthread_mutex_unlock(&L); } while (!f); return 0; }
void *set(void *a) { if (pthread_mutex_trylock(&L)) g = 1; else { x = 1; pthread_mutex_unlock(&L); } return 0; }
int main() { pthread_t t, u; pthread_create(&t, 0, poll, 0); pthread_create(&u, 0, set, 0); g = 2; return 0; }
