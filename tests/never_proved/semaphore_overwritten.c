// The count of the semaphore is two when the threads start.
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int counter;

static void *one(void *unused) {
  sem_wait(&semaphore);
  counter++;
  sem_post(&semaphore);
  return unused;
}

int main(void) {
  sem_init(&semaphore, 0, 1);
  *(int *)&semaphore = 2;
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, one, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
