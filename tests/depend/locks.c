// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks that take locks: the same one, another one, one side only, with a result that is asked.
typedef struct lock *handle;
handle m, n;
int a, b, c, d, e;
int in(void);
void out(int);
int xSemaphoreTake(handle, int);
int xSemaphoreGive(handle);
int GetResource(int);
int ReleaseResource(int);

void low(void) {
  GetResource(1);
  out(a);                       // @a1
  out(a);                       // @a2
  out(b);                       // @b1
  out(b);                       // @b2
  ReleaseResource(1);
  if (xSemaphoreTake(m, 10) == 1) {
    out(c);                     // @c1
    out(c);                     // @c2
    out(d);                     // @d1
    out(d);                     // @d2
    xSemaphoreGive(m);
  }
  xSemaphoreTake(m, 10);
  out(e);                       // @e1
  out(e);                       // @e2
  xSemaphoreGive(m);
}

void high(void) {
  GetResource(2);
  b = in();                     // @wb
  ReleaseResource(2);
  GetResource(1);
  a = in();                     // @wa
  ReleaseResource(1);
  if (xSemaphoreTake(m, 10)) {
    c = in();                   // @wc
    e = in();                   // @we
    xSemaphoreGive(m);
  }
  if (xSemaphoreTake(n, 10)) {
    d = in();                   // @wd
    xSemaphoreGive(n);
  }
}
// toml: [[entry]]
// toml: function = "low"
// toml: kind = "task"
// toml: priority = 1
// toml: [[entry]]
// toml: function = "high"
// toml: kind = "task"
// toml: priority = 2
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
// TRAP: c R@c1 W@wc R@c2
// BUG: d R@d1 W@wd R@d2
// BUG: e R@e1 W@we R@e2
