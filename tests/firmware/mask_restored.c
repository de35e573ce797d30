// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks that nest: `restore` ends the last one, `enable` ends all.
// toml: [[mask]]
// toml: disable = "save"
// toml: restore = "back"
// toml: enable = "open"
int save(void);
void back(int);
void open(void);
int a, b, c, d;
void task(void) {
  int one = save();
  int two = save();
  back(two);
  a++;  // NORACE: the outer one holds -> separated(masked)
  back(one);
  b++;  // RACE! b: none holds
  save();
  save();
  open();
  c++;  // RACE! c: all are ended
}
void isr1(void) {
  a--;  // NORACE: -> separated(masked)
  b--;  // RACE! b: the other half
  c--;  // RACE! c: the other half
}
