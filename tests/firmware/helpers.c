// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses by pointers and in members, in functions that several entries reach.
void off(int);
void on(int);
struct state { int speed, gear; } now;
static void set(struct state *s, int v) {
  s->speed = v;  // RACE! s: isr1 comes while the task is here
}
static int get(const struct state *s) {
  return s->gear;  // NORACE: only read unmasked, the write is masked -> separated(masked)
}
void task(void) {
  set(&now, 1);
  off(1);
  now.gear = get(&now);  // NORACE: -> separated(masked)
  on(1);
}
void isr1(void) {
  set(&now, get(&now));
}
