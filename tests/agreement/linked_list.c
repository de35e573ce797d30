// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list that is built, reversed, sorted by merging, and freed.
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *push(struct node *h, int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = h; return n; }
static struct node *merge(struct node *a, struct node *b) { struct node head, *t = &head; while (a && b) { struct node **s = a->v <= b->v ? &a : &b; t->next = *s; t = *s; *s = (*s)->next; } t->next = a ? a : b; return head.next; }
static struct node *sort(struct node *h) { if (!h || !h->next) return h; struct node *s = h, *f = h->next; while (f && f->next) { s = s->next; f = f->next->next; } struct node *m = s->next; s->next = 0; return merge(sort(h), sort(m)); }
int main(void) { struct node *h = 0; unsigned x = 12345; for (int i = 0; i < 40; i++) { x = x * 1103515245u + 12345u; h = push(h, (int)(x >> 16) % 100); } h = sort(h); for (struct node *n = h; n; n = n->next) printf("%d ", n->v); printf("\n"); while (h) { struct node *n = h->next; free(h); h = n; } return 0; }
