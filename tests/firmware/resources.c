// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OSEK: resources are locks, by their number.
// toml: [[entry]]
// toml: function = "other"
// toml: kind = "task"
// toml: priority = 3
typedef unsigned char ResourceType;
unsigned char GetResource(ResourceType);
unsigned char ReleaseResource(ResourceType);
int a, b, c;
void task(void) {
  GetResource(1);
  a++;  // NORACE: both have it -> separated(common-lock)
  b++;  // RACE! b: another resource
  c++;  // RACE! c: none
  ReleaseResource(1);
}
void other(void) {
  GetResource(1);
  a--;  // NORACE: -> separated(common-lock)
  ReleaseResource(1);
  GetResource(2);
  b--;  // RACE! b: the other half
  ReleaseResource(2);
  c--;  // RACE! c: the other half
}
