#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attacks on what judges believe of memory: a flag is written, or a lock given back, in an odd way; who sees it races.

    tests/odd_writes.py --heddle build/release/heddle [--only NAME]

Of the flags: one thread sets the flag under a lock, in the way of the row, and writes `x`; the other one writes `x` if
it finds the flag set. Of the locks: one thread takes the lock, gives it back in the way of the row and writes `x`; the
other one writes `x` under it. Each scan must report the race on `x`, and no `verify` may say race-free. The last line
is `N passed, M failed`.
"""
import sys

import attacks

KEEPER = "int f[64] __attribute__((aligned(256))); struct{long a; int*p; long z;}k={0,f+1,0};"

# name: declarations, how the flag is set, how it is read, what main does first, what it does beside the threads
FLAGS = {
    "plain": ("int f;", "f=1;", "f"),
    "through arg": ("int f; void put(int*p){*p=1;}", "put(&f);", "f"),
    "struct": ("struct s{int a,f,b;} g; void put(struct s*p){p->f=1;}", "put(&g);", "g.f"),
    "escaped": ("struct s{int a,f;} g; struct s*p=&g;", "p->f=1;", "g.f"),
    "two targets": ("struct s{int a,f;} g,h; struct s*p=&g; int c;", "p->f=1;", "h.f", "if(c==0)p=&h;"),
    "swapped later": ("struct s{int a,f;} g,h; struct s*p=&g;", "p=&h; p->f=1;", "h.f"),
    "copy": ("struct s{int a,f,b,c,d;} g; const struct s k={0,1,0,0,0};", "g=k;", "g.f"),
    "copy var": ("struct s{int a,f,b,c,d;} g,h={0,1};", "g=h;", "g.f"),
    "memset": ("struct s{int a,f,b,c,d,e,q,r,t,u;} g;", "memset(&g,1,sizeof g);", "g.f"),
    "memset var": ("struct s{int a,f,b,c,d,e,q,r,t,u;} g; unsigned long n=40;", "memset(&g,1,n);", "g.f"),
    "bytes": ("int f;", "((char*)&f)[1]=1;", "f"),
    "short": ("int f;", "*(short*)((char*)&f+2)=1;", "f"),
    "wide": ("struct s{int a,f;} g;", "long one=0x100000000L; memcpy(&g,&one,8);", "g.f"),
    "wide store": ("union u{struct{int a,f;}s; long w;} g;", "g.w=0x100000000L;", "g.s.f"),
    "union ptr": ("union u{int f; char c[4];} g;", "g.c[3]=1;", "g.f"),
    "array const": ("int f[4];", "f[2]=1;", "f[2]"),
    "array var": ("int f[4]; int i;", "f[i]=1;", "f[2]", "i=2;"),
    "array var many": ("int f[400]; int i;", "f[i]=1;", "f[200]", "i=200;"),
    "array loop": ("int f[4];", "for(int i=0;i<4;i++)f[i]=i;", "f[2]"),
    "array struct": ("struct e{int st,dt;} t[3]; int i;", "t[i].st=1;", "t[1].st", "i=1;"),
    "array struct ptr": (
        "struct e{int st,dt;} t[3]; struct e* find(void){for(int i=0;i<3;i++)if(t[i].dt==7)return &t[i];return 0;}",
        "struct e*p=find(); if(p)p->st=1;",
        "t[1].st",
        "t[1].dt=7;",
    ),
    "array in struct": (
        "struct d{int n; struct e{int st,dt;} t[3]; int z;} g; struct e* at(struct d*d,int i){return &d->t[i];}",
        "at(&g,nd())->st=1;",
        "g.t[1].st",
    ),
    "walk": ("int f[4];", "int*p=f; while(p<f+4)*p++=1;", "f[2]"),
    "walk back": ("int f[4];", "for(int*p=f+4;p-->f;)*p=1;", "f[0]"),
    "negative": ("int f[4]; int i;", "int*p=f+3; p[i]=1;", "f[1]", "i=-2;"),
    "int cast": ("int f; unsigned long a;", "*(int*)a=1;", "f", "a=(unsigned long)&f;"),
    "tagged": ("int f; unsigned long a;", "*(int*)(a&~1UL)=1;", "f", "a=(unsigned long)&f|1;"),
    "container": ("struct o{int f; int link;} g; int*l=&g.link;", "((struct o*)((char*)l-4))->f=1;", "g.f"),
    "double ptr": ("int f; int*p; int**pp=&p;", "**pp=1;", "f", "p=&f;"),
    "fnptr": ("int f; void put(void){f=1;} void(*h)(void)=put;", "h();", "f"),
    "fnptr table": (
        "int f; void a(void){} void b(void){f=1;} void(*h[2])(void)={a,b}; int i;",
        "h[i]();",
        "f",
        "i=1;",
    ),
    "ops": (
        "int f; struct ops{void(*a)(int*);}; void put(int*p){*p=1;} struct ops o={put}; struct "
        "dev{const struct ops*ops;} d={&o};",
        "d.ops->a(&f);",
        "f",
    ),
    "fnptr set": ("int f; void a(void){} void b(void){f=1;} void(*h)(void)=a;", "h();", "f", "h=b;"),
    "heap": ("int*p;", "*p=1;", "*p", "p=malloc(4);*p=0;"),
    "heap calloc": ("struct s{int a,f;}*p;", "p->f=1;", "p->f", "p=calloc(1,8);"),
    "heap two": (
        "struct s{int f; struct s*n;}*h; struct s*mk(void){struct s*s=malloc(sizeof*s);s->f=0;s->n=h;h=s;return s;}",
        "h->n->f=1;",
        "h->n->f",
        "mk();mk();",
    ),
    "list": (
        "struct n{int f; struct n*x;} a,b; struct n*h;",
        "for(struct n*p=h;p;p=p->x)p->f=1;",
        "b.f",
        "a.x=&b;h=&a;",
    ),
    "list stat": ("struct n{int f; struct n*x;} a,b; struct n*h=&a;", "a.x=&b; h->x->f=1;", "b.f"),
    "static local": ("int*get(void){static int f; return &f;}", "*get()=1;", "*get()"),
    "varargs": (
        "#include <stdarg.h>\nint f; void put(int n,...){va_list l;va_start(l,n);*va_arg(l,int*)=1;va_end(l);}",
        "put(1,&f);",
        "f",
    ),
    "sscanf": ("int f;", "sscanf(\"1\",\"%d\",&f);", "f"),
    "read": ("int f;", "read(0,&f,4);", "f"),
    "strtol": ("char b[4]=\"1x\"; char*e=b; ", "strtol(b,&e,10);", "e!=b"),
    "snprintf": ("char b[8];", "snprintf(b,8,\"%d\",5);", "b[0]"),
    "time": ("#include <time.h>\ntime_t f;", "time(&f);", "f!=0"),
    "atomic x": ("int f;", "__atomic_exchange_n(&f,1,5);", "__atomic_load_n(&f,5)"),
    "atomic gen": ("int f; int o_=1;", "__atomic_store(&f,&o_,5);", "f"),
    "cas ptr": ("int f; int*p=&f;", "int z=0; __atomic_compare_exchange_n(p,&z,1,0,5,5);", "f"),
    "cas expected": ("int f=5; int e=9;", "__atomic_compare_exchange_n(&f,&e,1,0,5,5);", "e==5"),
    "bitfield": ("struct s{unsigned a:3,f:1;} g;", "g.f=1;", "g.f"),
    "or": ("int f;", "f|=4;", "f&4"),
    "neg": ("int f;", "f=~f;", "f"),
    "sret": ("struct s{int a,f,b,c,d;} g; struct s mk(int i){struct s s={0,i,0,0,0};return s;}", "g=mk(1);", "g.f"),
    "byval": ("struct s{int a,f,b,c,d; int*p;} g; int f; void put(struct s s){*s.p=1;}", "put(g);", "f", "g.p=&f;"),
    "indirect copy": ("int f; struct s{int*p; int q[6];} g,h;", "h=g; *h.p=1;", "f", "g.p=&f;"),
    "byte copy": (
        "int f; int*p,*q;",
        "for(unsigned i=0;i<sizeof p;i++)((char*)&q)[i]=((char*)&p)[i]; *q=1;",
        "f",
        "p=&f;",
    ),
    "cond ptr": ("int f,o; int c;", "*(c?&o:&f)=1;", "f"),
    "sel": ("int f,o;", "int*p=nd()?&f:&o; *p=1;", "f"),
    "param twice": ("int f,o; void put(int*p,int w){*p=w;}", "put(&o,3);put(&f,1);", "f"),
    "ret": ("int f,o; int*pick(int i){return i?&f:&o;}", "*pick(nd())=1;", "f"),
    "loopcount": ("int f;", "for(int i=0;i<nd();i++)f++;", "f>3"),
    "dec": ("int f=3;", "f--;", "f<3"),
    "wrap": ("unsigned char f=255;", "f++;", "f==0"),
    "trunc": ("int f; long w=0x100000001L;", "f=(int)w;", "f"),
    "main later": ("int f;", "", "f", "", "f=1;"),
    "main loop": ("int*p; int f,o;", "*p=1;", "f", "for(int i=0;i<2;i++)p=i?&f:&o;"),
    "main cond": ("int*p; int f,o;", "*p=1;", "f", "p=nd()?&f:&o;"),
    "main helper": (
        "struct d{int*p;}a,b; int f,o; void set(struct d*d,int*q){d->p=q;}",
        "*b.p=1;",
        "f",
        "set(&a,&o);set(&b,&f);",
    ),
    "ptr field later": ("struct d{int*p;}a; int f,o;", "a.p=&f;*a.p=1;", "f", "a.p=&o;"),
    "realloc": ("int*p;", "p=realloc(p,8);*p=1;", "*p", "p=malloc(4);*p=0;"),
    "tls ptr": ("__thread int*q; int f;", "q=&f;*q=1;", "f"),
    "strchr": ("char b[4]=\"ab\";", "*strchr(b,'b')='c';", "b[1]=='c'"),
    "memmove": ("int f[4]={0,1,0,0};", "memmove(f+1,f,8);", "f[2]"),
    "qsort": (
        "int f[2]={5,3}; int c(const void*a,const void*b){return *(int*)a-*(int*)b;}",
        "qsort(f,2,4,c);",
        "f[0]==3",
    ),
    "enum sw": ("int f;", "switch(nd()){case 1:f=2;break;default:f=3;}", "f>1"),
    "neg stride": ("struct e{int a,b;}t[4]; int i;", "struct e*p=&t[3]; (p-i)->b=1;", "t[1].b", "i=2;"),
    "two dim": ("int t[3][4]; int i,j;", "t[i][j]=1;", "t[2][1]", "i=2;j=1;"),
    "two dim over": ("int t[3][4]; int i;", "int*p=&t[0][0]; p[i]=1;", "t[2][1]", "i=9;"),
    "fetch add": ("int f[4]; int*_Atomic p=f;", "__c11_atomic_fetch_add(&p,1,5); *p=1;", "f[1]"),
    "fetch sub": ("int f[4]; int*_Atomic p=f+2;", "__c11_atomic_fetch_sub(&p,1,5); *p=1;", "f[1]"),
    "fetch or": ("int f[4] __attribute__((aligned(64))); unsigned long a;", "__sync_fetch_and_or(&a,4); *(int*)a=1;",
                 "f[1]", "a=(unsigned long)f;"),
    "fetch and": ("int f[4] __attribute__((aligned(64))); unsigned long a;",
                  "__sync_fetch_and_and(&a,~63UL); *(int*)a=1;", "f[0]", "a=(unsigned long)(f+1);"),
    "fetch xor": ("int f[4] __attribute__((aligned(64))); unsigned long a;", "__sync_fetch_and_xor(&a,4); *(int*)a=1;",
                  "f[1]", "a=(unsigned long)f;"),
    "low byte": ("int f[64] __attribute__((aligned(256))); int*p=f+1;", "((char*)&p)[0]=0; *p=1;", "f[0]"),
    "low byte local": ("int f[64] __attribute__((aligned(256)));", "int*p=f+1; *(volatile char*)&p=0; *p=1;", "f[0]"),
    "low byte set": ("int f[64] __attribute__((aligned(256))); int*p=f+1;", "memset(&p,0,1); *p=1;", "f[0]"),
    "low byte copied": ("int f[64] __attribute__((aligned(256))); int*p=f+1; char z;", "memcpy(&p,&z,1); *p=1;", "f[0]"),
    "low byte beside": (KEEPER, "memset((char*)&k+1,0,8); *k.p=1;", "f[0]"),
    "low byte packed": (KEEPER + "struct __attribute__((packed)) w{long v;};", "((struct w*)((char*)&k+1))->v=0; *k.p=1;",
                        "f[0]"),
    "low byte count": (KEEPER + "volatile int n=1;", "memset(&k.p,0,n); *k.p=1;", "f[0]"),
    "low byte copied count": (KEEPER + "volatile int n=1; long z;", "memcpy(&k.p,&z,n); *k.p=1;", "f[0]"),
    "low byte index": (KEEPER + "volatile int n=8;", "((char*)&k)[n]=0; *k.p=1;", "f[0]"),
    "low byte loop": (KEEPER, "for(int i=1;i<9;i++)((char*)&k)[i]=0; *k.p=1;", "f[0]"),
    "low byte walk": (KEEPER, "char*c=(char*)&k; while(c<(char*)&k+8)c++; *c=0; *k.p=1;", "f[0]"),
    "low byte helper": (KEEPER + "void zero(char*c,int i){c[i]=0;}", "zero((char*)&k,3);zero((char*)&k,8); *k.p=1;",
                        "f[0]"),
    "low byte text": (KEEPER, "strcpy((char*)&k.p,\"\"); *k.p=1;", "f[0]"),
    "low byte printed": (KEEPER, "sprintf((char*)&k.p,\"%s\",\"\"); *k.p=1;", "f[0]"),
    "low byte scanned": (KEEPER, "sscanf(\"0\",\"%hhd\",(char*)&k.p); *k.p=1;", "f[0]"),
    "low byte swapped": (KEEPER + "volatile int n=8;", "__atomic_exchange_n((char*)&k+n,0,5); *k.p=1;", "f[0]"),
    "end minus": ("int f[4]; volatile int n=4;", "int*e=f+n; e[-1]=1;", "f[3]"),
    "end minus member": ("struct s{int a,f[4],z;}g; volatile int n=4; void put(int*e){*--e=1;}", "put(&g.f[n]);", "g.f[3]"),
    "end minus kept": ("struct r{int a,b;}t[4],*top; volatile int n=4;", "top=t+n; (--top)->b=1;", "t[3].b"),
    "end minus many": ("struct s{int a,f[100],z;}g; volatile int n=4;", "int*e=&g.f[n*25]; e[-1]=1;", "g.f[99]"),
    "low byte atomic": ("int f[4] __attribute__((aligned(64))); union{int*p; unsigned char b[8];}u={f};",
                        "__sync_fetch_and_add(&u.b[0],4); *u.p=1;", "f[1]"),
    "low half": ("int f[64] __attribute__((aligned(256))); union{int*p; unsigned h[2];}u={f+1};",
                 "u.h[0]&=~255u; *u.p=1;", "f[0]"),
    "halves": ("int f; union{int*p; float h[2];}u,v={&f};", "u.h[0]=v.h[0]; u.h[1]=v.h[1]; *u.p=1;", "f"),
    "three bytes": ("struct __attribute__((packed)) s{unsigned a:24; char f;} g;", "g.f=1; g.a=0x7fffff;", "g.f"),
    "six bytes": ("struct __attribute__((packed)) s{char q; long a:48; char f;} g;", "g.f=1; g.a=5;", "g.f"),
}

# name: declarations, how the lock `m` is given back, what main does first
LOCKS = {
    "plain": ("", "pthread_mutex_unlock(&m);"),
    "pointer": ("pthread_mutex_t *p = &m;", "pthread_mutex_unlock(p);"),
    "one of two": ("pthread_mutex_t o, *p = &m; int c;", "pthread_mutex_unlock(p);", "if (c) p = &o;"),
    "set later": ("pthread_mutex_t o, *p;", "pthread_mutex_unlock(p);", "p = &o; p = &m;"),
    "function": ("void done(pthread_mutex_t *l) { pthread_mutex_unlock(l); }", "done(&m);"),
    "function pointer": ("int (*h)(pthread_mutex_t *) = pthread_mutex_unlock;", "h(&m);"),
    "one of several functions": (
        "int (*h)(pthread_mutex_t *) = pthread_mutex_lock; int c;",
        "pthread_mutex_unlock(&m); if (!c) h = pthread_mutex_trylock; h(&m);"),
    "own function pointer": ("void done(void) { pthread_mutex_unlock(&m); } void (*h)(void) = done;", "h();"),
    "in a structure": ("struct d { int n; pthread_mutex_t *l; } g = {0, &m};", "pthread_mutex_unlock(g.l);"),
    "two structures": ("struct d { pthread_mutex_t *l; } g, k; pthread_mutex_t o; "
                       "void set(struct d *d, pthread_mutex_t *l) { d->l = l; }",
                       "pthread_mutex_unlock(k.l);", "set(&g, &o); set(&k, &m);"),
    "table": ("pthread_mutex_t o, *t[3] = {&o, &o, &m}; int i;", "pthread_mutex_unlock(t[i]);", "i = 2;"),
    "returned": ("pthread_mutex_t *which(void) { return &m; }", "pthread_mutex_unlock(which());"),
    "number": ("unsigned long a;", "pthread_mutex_unlock((pthread_mutex_t *)a);", "a = (unsigned long)&m;"),
    "copied pointer": ("struct d { pthread_mutex_t *l; long q[5]; } g, k;", "k = g; pthread_mutex_unlock(k.l);",
                       "g.l = &m;"),
    "in a loop": ("pthread_mutex_t *p = &m;", "for (int i = 0; i < 1; i++) pthread_mutex_unlock(p);"),
    "wait": ("pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_mutex_t *p = &m; int go = 1;",
             "while (!go) pthread_cond_wait(&c, p); pthread_mutex_unlock(p);"),
    "in the end": ("void done(void *l) { pthread_mutex_unlock(l); }",
                   "pthread_cleanup_push(done, &m); pthread_cleanup_pop(1);"),
}

HEAD = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int nd(void) { return rand() % 3; }
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
MAIN = """
int main(void) {
  pthread_t ta_, tb_;
  %s
  pthread_create(&ta_, 0, one, 0);
  pthread_create(&tb_, 0, other, 0);
  pthread_mutex_lock(&m);
  %s
  pthread_mutex_unlock(&m);
  pthread_join(ta_, 0);
  pthread_join(tb_, 0);
  return 0;
}
"""


def program_of_flag(declarations, sets, reads, first="", beside=""):
    return f"""{HEAD}{declarations}
void *one(void *arg_) {{
  pthread_mutex_lock(&m);
  int seen_ = ({reads}) != 0;
  pthread_mutex_unlock(&m);
  if (seen_) x = 1;
  return 0;
}}
void *other(void *arg_) {{
  pthread_mutex_lock(&m);
  {sets}
  pthread_mutex_unlock(&m);
  x = 2;
  return 0;
}}
{MAIN % (first, beside)}"""


def program_of_lock(declarations, gives, first=""):
    return f"""{HEAD}{declarations}
void *one(void *arg_) {{
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return 0;
}}
void *other(void *arg_) {{
  pthread_mutex_lock(&m);
  {gives}
  x = 2;
  return 0;
}}
{MAIN % (first, "")}"""


def main():
    rows = {f"flag, {name}": program_of_flag(*row) for name, row in FLAGS.items()}
    rows |= {f"lock, {name}": program_of_lock(*row) for name, row in LOCKS.items()}
    return attacks.run_all(__doc__, {name: (text, attacks.is_racy) for name, text in rows.items()})


if __name__ == "__main__":
    sys.exit(main())
