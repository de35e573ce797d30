// sem_trywait says in errno that it would have to wait.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int counter;

static void *one(void *unused) {
  errno = 0;
  sem_trywait(&semaphore);
  if (errno == EAGAIN) counter++;
  return unused;
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, one, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
