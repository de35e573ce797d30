// There is no such detach state.
#include <pthread.h>

static int counter;

static void *one(void *unused) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setdetachstate(&attributes, 77) != 0) counter++;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, one, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
