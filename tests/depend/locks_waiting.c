// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who waits for a lock comes back when it is free; before, it has seen what it should not. Locks that keep a task away
// from an access that is made without one.
struct lock { int l; } one, two;
int a, b, c, d, flag, old;
int in(void);
void out(int);
void mutex_lock(struct lock *);
void mutex_unlock(struct lock *);

void low(void) {
  mutex_lock(&one);
  flag = 1;                     // @f1
  out(a);                       // @a1
  flag = 0;                     // @f2
  out(b);                       // @b1
  out(b);                       // @b2
  mutex_unlock(&one);
  out(a);                       // @a2
  mutex_lock(&two);
  out(c);                       // @c1
  mutex_unlock(&two);
  mutex_lock(&two);
  out(c);                       // @c2
  mutex_unlock(&two);
}

void middle(void) {
  out(d);                       // @d1
  out(d);                       // @d2
}

void high(void) {
  old = flag;                   // @f
  mutex_lock(&one);
  if (old) a = in();            // @wa
  mutex_unlock(&one);
  b = in();                     // @wb
  mutex_lock(&two);
  c = in();                     // @wc
  mutex_unlock(&two);
  d = in();                     // @wd
}
// toml: [[entry]]
// toml: function = "low"
// toml: kind = "task"
// toml: priority = 1
// toml: [[entry]]
// toml: function = "high"
// toml: kind = "task"
// toml: priority = 3
// toml: [[entry]]
// toml: function = "middle"
// toml: kind = "task"
// toml: priority = 2
// BUG: a R@a1 W@wa R@a2
// BUG: flag W@f1 R@f W@f2
// NEVER: b R@b1 W@wb R@b2
// BUG: c R@c1 W@wc R@c2
// BUG: d R@d1 W@wd R@d2
