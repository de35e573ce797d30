// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which element a function touches, its caller says.
unsigned char data[64];
int in(void);
void out(int);

static unsigned char get(unsigned where) { return data[where]; }         // @get
static void put(unsigned where, unsigned char what) { data[where] = what; }    // @put
static void (*writer)(unsigned, unsigned char);

void task(void) {
  writer = put;
  int sum = get(8);
  sum += get(9);
  writer(8, (unsigned char)sum);
}

void isr1(void) { put(8, 1); }
// BUG: data R@get W@put W@put
// TRAP: data R@get W@put R@get
