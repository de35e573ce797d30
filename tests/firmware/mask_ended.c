// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask ends: by an unknown number, in a called function, on one way, in a round of a loop.
void off(int);
void on(int);
int a, b, c, d, e, n;
static void end_it(void) { on(1); }
static void may_end(int x) { if (x) on(1); }
void task(void) {
  off(1);
  on(n);
  a++;  // RACE! a: n may be 1
  off(1);
  end_it();
  b++;  // RACE! b: ended in the call
  off(1);
  may_end(n);
  c++;  // RACE! c: perhaps ended in the call
  if (n) off(1); else on(1);
  d++;  // RACE! d: masked on one way only
  on(1);
  off(1);
  for (int i = 0; i < n; i++) {
    e++;  // RACE! e: in the second round it is let in
    on(1);
  }
}
void isr1(void) {
  a--;  // RACE! a: the other half
  b--;  // RACE! b: the other half
  c--;  // RACE! c: the other half
  d--;  // RACE! d: the other half
  e--;  // RACE! e: the other half
}
