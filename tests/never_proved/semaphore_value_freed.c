// One thread asks for the value of a semaphore, another frees it.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t *semaphore;

static void *ask(void *unused) {
  int value;
  sem_getvalue(semaphore, &value);
  return unused;
}

static void *end(void *unused) {
  free(semaphore);
  return unused;
}

int main(void) {
  pthread_t first, second;
  semaphore = malloc(sizeof *semaphore);
  sem_init(semaphore, 0, 1);
  pthread_create(&first, 0, ask, 0);
  pthread_create(&second, 0, end, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
