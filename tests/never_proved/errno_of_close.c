// close says in errno that there is no such file.
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static int counter;

static void *one(void *unused) {
  errno = 0;
  close(-1);
  if (errno != 0) counter++;
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
