// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scheduler that stands still keeps tasks out, not interrupts.
// toml: [[entry]]
// toml: function = "high"
// toml: kind = "task"
// toml: priority = 3
// toml: [[mask]]
// toml: of = "tasks"
// toml: disable = "lock_scheduler"
// toml: restore = "unlock_scheduler"
void lock_scheduler(void);
void unlock_scheduler(void);
int a, b;
void task(void) {
  lock_scheduler();
  a++;  // NORACE: no task comes -> separated(masked)
  b++;  // RACE! b: interrupts do
  unlock_scheduler();
}
void high(void) {
  a--;  // NORACE: -> separated(masked)
}
void isr1(void) {
  b--;  // RACE! b: the other half
}
