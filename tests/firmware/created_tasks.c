// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that the program creates: of one priority; in a loop, with priorities that are not known.
// toml: [system]
// toml: cores = 1
typedef void (*code_t)(void *);
int xTaskCreate(code_t, const char *, unsigned short, void *, unsigned long, void *);
void vTaskStartScheduler(void);
int a, b, c, prio;
static void one(void *p) {
  a++;  // NORACE: same priority -> separated(in-turn)
}
static void two(void *p) {
  a--;  // NORACE: same priority -> separated(in-turn)
}
static void many(void *p) {
  b++;  // RACE! b: several of it, and nobody knows their priorities
}
int main(void) {
  a = 1;  // NORACE: no task runs before the scheduler does -> separated(in-turn)
  xTaskCreate(one, "one", 100, 0, 2, 0);
  xTaskCreate(two, "two", 100, 0, 2, 0);
  for (int i = 0; i < 3; i++) xTaskCreate(many, "many", 100, 0, prio + i, 0);
  vTaskStartScheduler();
  return 0;
}
