// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two variables that hold the same, and two that only look so.
int speed, speed_copy, other, other_copy;
int in(void);
void out(int);
void off(int);
void on(int);

void task(void) {
  int x = speed;                // @a1
  int y = speed_copy;           // @a2
  out(x == y);
  x = other;                    // @b1
  y = other_copy;               // @b2
  out(x == y);
}

void isr1(void) {
  int raw = in();
  speed = raw;                  // @wa
  speed_copy = raw;             // @wb
  other = raw;                  // @wc
  other_copy = raw;             // @wd
}
// toml: [system]
// toml: redundant = [["speed", "speed_copy"]]
// BUG: speed/speed_copy R@a1 W@wa R@a2
// BUG: speed/speed_copy R@a1 W@wb R@a2
// TRAP: other/other_copy R@b1 W@wc R@b2
