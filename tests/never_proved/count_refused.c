// No semaphore counts that far.
#include <pthread.h>
#include <semaphore.h>

static int counter;

static void *one(void *unused) {
  sem_t semaphore;
  if (sem_init(&semaphore, 0, 4000000000u) != 0) counter++;
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
