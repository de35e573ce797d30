// There are 1024 keys; the last ones are refused.
#include <pthread.h>

static int counter;

static void *one(void *unused) {
  if (counter < 0) return unused;
  for (int i = 0; i < 2000; i++) {
    pthread_key_t key;
    if (pthread_key_create(&key, 0) != 0) counter = 1;
  }
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
