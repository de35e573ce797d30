// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interrupts without priorities: a handler that lets others in is interrupted behind that, and not before; one that
// restores what it found is not.
int a, b, c, d;
int in(void);
void out(int);
void __enable_irq(void);
void __disable_irq(void);

void slow(void) {
  out(a);                       // @a1
  out(a);                       // @a2
  __enable_irq();
  out(b);                       // @b1
  out(b);                       // @b2
  __disable_irq();
  out(c);                       // @c1
  out(c);                       // @c2
}

void polite(void) {
  out(d);                       // @d1
  out(d);                       // @d2
}

void fast(void) {
  a = in();                     // @wa
  b = in();                     // @wb
  c = in();                     // @wc
  d = in();                     // @wd
}
// toml: [[entry]]
// toml: function = "slow"
// toml: kind = "interrupt"
// toml: [[entry]]
// toml: function = "polite"
// toml: kind = "interrupt"
// toml: [[entry]]
// toml: function = "fast"
// toml: kind = "interrupt"
// TRAP: a R@a1 W@wa R@a2
// OPEN: b R@b1 W@wb R@b2
// TRAP: c R@c1 W@wc R@c2
// TRAP: d R@d1 W@wd R@d2
