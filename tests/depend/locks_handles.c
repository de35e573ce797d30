// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles that an initialisation makes: two names of one lock, and two locks.
typedef struct lock *handle;
handle m, same, other;
int a, b;
int in(void);
void out(int);
handle xSemaphoreCreateMutex(void);
int xSemaphoreTake(handle, int);
int xSemaphoreGive(handle);

void boot(void) {
  m = xSemaphoreCreateMutex();
  same = m;
  other = xSemaphoreCreateMutex();
}

void low(void) {
  if (!xSemaphoreTake(m, 10)) return;
  out(a);                       // @a1
  out(a);                       // @a2
  out(b);                       // @b1
  out(b);                       // @b2
  xSemaphoreGive(m);
}

void high(void) {
  if (xSemaphoreTake(same, 10)) {
    a = in();                   // @wa
    xSemaphoreGive(same);
  }
  if (xSemaphoreTake(other, 10)) {
    b = in();                   // @wb
    xSemaphoreGive(other);
  }
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
// toml: function = "boot"
// toml: kind = "init"
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
