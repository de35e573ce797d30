// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int key; struct node *left, *right; };
static struct node *insert(struct node *n, int key) {
  if (!n) { n = calloc(1, sizeof *n); n->key = key; return n; }
  if (key < n->key) n->left = insert(n->left, key); else n->right = insert(n->right, key);
  return n;
}
static int walk(struct node *n, int depth) { if (!n) return 0; int s = walk(n->left, depth + 1); printf("%d@%d ", n->key, depth); return s + n->key + walk(n->right, depth + 1); }
static void drop(struct node *n) { if (n) { drop(n->left); drop(n->right); free(n); } }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_number(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
int main(void) {
  struct node *root = NULL; unsigned seed = 12345; int *v = NULL, n = 0;
  for (int i = 0; i < 20; i++) { seed = seed * 1103515245u + 12345u; root = insert(root, (int)(seed >> 16) % 100); }
  printf("\n%d\n", walk(root, 0)); drop(root);
  for (int i = 0; i < 100; i++) { v = realloc(v, (size_t)(n + 1) * sizeof *v); v[n++] = (i * 37) % 101; }
  qsort(v, (size_t)n, sizeof *v, by_number);
  int key = 50, *found = bsearch(&key, v, (size_t)n, sizeof *v, by_number);
  printf("%d %d %d %td\n", v[0], v[50], v[99], found - v);
  free(v);
  const char *words[] = {"pear", "apple", "fig", "date", "banana"};
  qsort(words, 5, sizeof *words, by_text);
  for (int i = 0; i < 5; i++) printf("%s ", words[i]);
  int m[3][4], *flat = &m[0][0], (*rows)[4] = m;
  for (int i = 0; i < 12; i++) flat[i] = i * i;
  printf("%d %d %d\n", m[2][3], rows[1][2], (int)(&m[2][0] - &m[0][0]));
  srand(7); for (int i = 0; i < 5; i++) printf("%d ", rand() % 1000);
  puts("");
  return 3;
}
