// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The four orders, and those that are none.
int rwr, wwr, rww, wrw, rrw, www, once;
int in(void);
void out(int);

void task(void) {
  out(rwr);                     // @a
  out(rwr);                     // @b
  wwr = in();                   // @c
  out(wwr);                     // @d
  int old = rww;                // @e
  rww = old + in();             // @f
  wrw = in();                   // @g
  wrw = in();                   // @h
  out(rrw);
  rrw = in();
  www = in();
  www = in();
  out(once);
}

void isr1(void) {
  rwr = in();                   // @i
  wwr = in();                   // @j
  rww = in();                   // @k
  out(wrw);                     // @l
  out(rrw);
  www = in();
  once = in();
}
// BUG: rwr R@a W@i R@b
// BUG: wwr W@c W@j R@d
// BUG: rww R@e W@k W@f
// BUG: wrw W@g R@l W@h
