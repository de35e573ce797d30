// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same by a task that never ends.
// toml: [[entry]]
// toml: function = "high"
// toml: kind = "task"
// toml: priority = 5
void off(int);
void on(int);
void wait(void);
int a;
static void serve(void) {
  for (;;) {
    wait();
    on(2);
  }
}
void high(void) { serve(); }
void task(void) {
  off(2);
  a++;  // RACE! a: high comes and lets isr2 in
  on(2);
}
void isr2(void) {
  a--;  // RACE! a: the other half
}
