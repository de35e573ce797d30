// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 32-bit machine reads and writes 64 bits in two steps, and a struct member by member.
struct pair { int low, high; } both, one, safe;
long long ticks, masked, torn_write;
int narrow;
int in(void);
void out(long long);
void off(int);
void on(int);

void task(void) {
  out(ticks);                   // @a
  off(-1);
  out(masked);                  // @b
  on(-1);
  torn_write = in();            // @c
  out(narrow);                  // @d
  struct pair copy = both;      // @e
  struct pair other = one;      // @f
  out(copy.low + copy.high + other.low + other.high);
}

void isr1(void) {
  ticks = in();                 // @wa
  masked = in();                // @wb
  out(torn_write);              // @rc
  narrow = in();                // @wd
  both.low = in();              // @we
  both.high = in();             // @wf
  one.low = in();               // @wg
}
// toml: [system]
// toml: atomic_bytes = 4
// BUG: ticks R@a W@wa R@a
// TRAP: masked R@b W@wb R@b
// BUG: torn_write W@c R@rc W@c
// TRAP: narrow R@d W@wd R@d
// BUG: both R@e W@we R@e
// BUG: both R@e W@wf R@e
// TRAP: one R@f W@wg R@f
