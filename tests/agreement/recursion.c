// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ackermann, hanoi, mutual recursion, permutations.
#include <stdio.h>
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static long moves; static void hanoi(int n, int a, int b, int c) { if (!n) return; hanoi(n - 1, a, c, b); moves += a * 3 + b; hanoi(n - 1, c, b, a); }
static int odd(int); static int even(int n) { return n ? odd(n - 1) : 1; } static int odd(int n) { return n ? even(n - 1) : 0; }
static void permute(char *s, int k, int n) { if (k == n) { printf("%s ", s); return; } for (int i = k; i < n; i++) { char t = s[k]; s[k] = s[i]; s[i] = t; permute(s, k + 1, n); t = s[k]; s[k] = s[i]; s[i] = t; } }
int main(void) { char s[] = "abcd"; printf("%d\n", ack(2, 6)); hanoi(9, 1, 2, 3); printf("%ld %d %d\n", moves, even(501), odd(501)); permute(s, 0, 4); printf("\n"); return 0; }
