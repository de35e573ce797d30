// A thread is created by attributes that another thread sets.
#include <pthread.h>

static pthread_attr_t attributes;

static void *nothing(void *unused) { return unused; }

static void *create(void *unused) {
  pthread_t thread;
  pthread_create(&thread, &attributes, nothing, 0);
  return unused;
}

static void *set(void *unused) {
  pthread_attr_setstacksize(&attributes, 1 << 20);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_attr_init(&attributes);
  pthread_create(&first, 0, create, 0);
  pthread_create(&second, 0, set, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
