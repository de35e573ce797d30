// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a device register only a read, a change and the write back can be broken. Nobody can run it here.
#define PORT (*(volatile int *)0x40020000)
#define STATUS (*(volatile int *)0x40020004)
void out(int);
void off(int);
void on(int);

void task(void) {
  PORT |= 4;                    // @a
  off(1);
  PORT &= ~8;                   // @b
  on(1);
  out(STATUS);                  // @c
  out(STATUS);                  // @d
}

void isr1(void) {
  PORT ^= 2;                    // @w
  STATUS = 1;                   // @s
}
// BUG: PORT R@a W@w W@a
// TRAP: PORT R@b W@w W@b
// TRAP: STATUS R@c W@s R@d
