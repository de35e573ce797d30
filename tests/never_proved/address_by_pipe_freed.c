// The address of freed memory came through a pipe.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];

static void *one(void *unused) {
  int *memory;
  if (read(ends[0], &memory, sizeof memory) == sizeof memory) free(memory);
  return unused;
}

static void *other(void *unused) {
  int *memory = malloc(sizeof *memory);
  write(ends[1], &memory, sizeof memory);
  *memory = 2;
  return unused;
}

int main(void) {
  if (pipe(ends) != 0) return 1;
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
