// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hash table of strings with chains that grows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { char *key; int value; struct entry *next; }; static struct entry **table; static size_t size, count;
static unsigned hash(const char *s) { unsigned h = 2166136261u; while (*s) h = (h ^ (unsigned char)*s++) * 16777619u; return h; }
static void grow(void) { size_t n = size ? size * 2 : 4; struct entry **t = calloc(n, sizeof *t); for (size_t i = 0; i < size; i++) for (struct entry *e = table[i], *x; e; e = x) { x = e->next; e->next = t[hash(e->key) % n]; t[hash(e->key) % n] = e; } free(table); table = t; size = n; }
static int *at(const char *k) { if (count >= size) grow(); struct entry **b = &table[hash(k) % size]; for (struct entry *e = *b; e; e = e->next) if (!strcmp(e->key, k)) return &e->value; struct entry *e = malloc(sizeof *e); e->key = strdup(k); e->value = 0; e->next = *b; *b = e; count++; return &e->value; }
int main(void) { char k[16]; for (int i = 0; i < 200; i++) { snprintf(k, sizeof k, "k%d", i * i % 37); *at(k) += i; } long s = 0; for (size_t i = 0; i < size; i++) for (struct entry *e = table[i]; e; e = e->next) s = s * 7 + e->value; printf("%zu %zu %ld\n", count, size, s); return 0; }
