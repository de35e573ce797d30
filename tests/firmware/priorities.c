// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who can interrupt whom: a pair stays if one of the two can.
int a, b, c, d;
void task(void) {
  a = 1;  // RACE! a: isr1 comes here
  b = 1;  // RACE! b: either interrupt comes here
}
void isr1(void) {
  a++;  // RACE! a: the other half
  b++;  // RACE! b: isr2 comes here too
  c++;  // RACE! c: isr2 comes here
}
void isr2(void) {
  b++;  // RACE! b: the other half
  c++;  // RACE! c: the other half
  d++;  // NORACE: isr2 alone, and one run ends before the next -> separated(in-turn)
}
int main(void) { return 0; }
