// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flag must go up twice before the second write: a thread that lowers it again has not done nothing.
#include "shared.h"
atomic_int up, seen;
void *blink(void *a) { while (!seen) { up = 1; up = 0; } return 0; }
void *watch(void *a) { while (!up) ; while (up) ; while (!up) ; g = 1; seen = 1; return 0; }
int main() { pthread_t t, u; pthread_create(&t, 0, blink, 0); pthread_create(&u, 0, watch, 0); g = 2; pthread_join(t, 0); pthread_join(u, 0); return 0; }
