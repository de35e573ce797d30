// strtol says in errno that the number is too large.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static int counter;

static void *one(void *unused) {
  errno = 0;
  strtol("99999999999999999999999", 0, 10);
  if (errno == ERANGE) counter++;
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
