// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks of callers hold in what they call, if all of them mask.
void off(int);
void on(int);
int a, b, c;
static void set_a(void) {
  a++;  // NORACE: every call is masked -> separated(masked)
}
static void set_b(void) {
  b++;  // RACE! b: one call is not masked
}
static void begin(int which) { off(which); }
void task(void) {
  off(1);
  set_a();
  set_b();
  on(1);
  set_b();
  begin(1);
  set_a();
  c++;  // NORACE: begun in a called function, which is told the number -> separated(masked)
  on(1);
}
void isr1(void) {
  a--;  // NORACE: -> separated(masked)
  b--;  // RACE! b: the other half
  c--;  // NORACE: -> separated(masked)
}
