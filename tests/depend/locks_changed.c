// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable that holds one lock and then another is no name of a lock; one that is cleared and set again is.
typedef struct lock { int held; } *handle;
struct lock one, two;
handle changed = &one, kept = &one;
int a, b;
int in(void);
void out(int);
int GetResource(handle);
int ReleaseResource(handle);

void low(void) {
  GetResource(changed);         // @c1
  out(a);                       // @a1
  out(a);                       // @a2
  ReleaseResource(changed);     // @c2
  GetResource(kept);
  out(b);                       // @b1
  out(b);                       // @b2
  ReleaseResource(kept);
}

void high(void) {
  changed = &two;               // @wc
  GetResource(changed);
  a = in();                     // @wa
  ReleaseResource(changed);
  GetResource(kept);
  b = in();                     // @wb
  ReleaseResource(kept);
}

void boot(void) {
  kept = 0;
  kept = &one;
}
// toml: [[entry]]
// toml: function = "low"
// toml: kind = "task"
// toml: priority = 1
// toml: [[entry]]
// toml: function = "high"
// toml: kind = "task"
// toml: priority = 2
// toml: [[entry]]
// toml: function = "boot"
// toml: kind = "init"
// BUG: changed R@c1 W@wc R@c2
// BUG: a R@a1 W@wa R@a2
// TRAP: b R@b1 W@wb R@b2
