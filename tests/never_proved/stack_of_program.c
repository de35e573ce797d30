// The frames of a thread lie in an array of the program.
// EXPECT: unknown: a thread is given a stack of the program's own
#include <pthread.h>

static char stack[1 << 20] __attribute__((aligned(65536)));
static int found;

static void *one(void *unused) {
  volatile char mine[1000];
  for (int i = 0; i < 1000; i++) mine[i] = 3;
  return unused;
}

static void *look(void *unused) {
  for (unsigned i = 0; i < sizeof stack; i++) found += stack[i] == 3;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, sizeof stack);
  pthread_create(&first, &attributes, one, 0);
  pthread_create(&second, 0, look, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
