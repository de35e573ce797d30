// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask of one interrupt keeps that one out.
void off(int);
void on(int);
int a, b, c, d, n;
void task(void) {
  off(1);
  a++;  // NORACE: isr1 is masked -> separated(masked)
  b++;  // RACE! b: isr2 is not
  on(1);
  off(-1);
  on(2);
  c++;  // RACE! c: all but isr2
  on(-1);
  off(n);
  d++;  // RACE! d: nobody knows which
  on(n);
}
void isr1(void) {
  a--;  // NORACE: -> separated(masked)
  d--;  // RACE! d: the other half
}
void isr2(void) {
  b--;  // RACE! b: the other half
  c--;  // RACE! c: the other half
}
