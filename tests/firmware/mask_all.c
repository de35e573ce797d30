// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask at the lower side is enough, one at the upper side is none.
void off(int);
void on(int);
int a, b, c, d;
void task(void) {
  off(-1);
  a++;  // NORACE: -> separated(masked)
  on(-1);
  b++;  // RACE! b: only isr1 masks
  off(-1);
  c = 1;  // NORACE: -> separated(masked)
  on(-1);
  c = 2;  // RACE! c: behind the mask
}
void isr1(void) {
  a--;  // NORACE: ends before the task goes on -> separated(masked)
  off(-1);
  b--;  // RACE! b: the other half
  on(-1);
  c--;  // RACE! c: the other half
}
