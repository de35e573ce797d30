// setlocale changes what printing reads.
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

static void *one(void *unused) {
  char text[32];
  snprintf(text, sizeof text, "%f", 1.5);
  return unused;
}

static void *other(void *unused) {
  setlocale(LC_ALL, "C");
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
