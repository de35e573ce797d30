// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop gives up in its third round, then it races.
#include "shared.h"
atomic_int up;
void *wait(void *a) { for (int i = 0; !up; i++) if (i == 2) { g = 1; break; } return 0; }
int main() { pthread_t t; pthread_create(&t, 0, wait, 0); g = 2; up = 1; pthread_join(t, 0); return 0; }
