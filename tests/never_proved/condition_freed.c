// A condition is freed while another thread signals it.
#include <pthread.h>
#include <stdlib.h>

static pthread_cond_t *condition;

static void *one(void *unused) {
  pthread_cond_signal(condition);
  return unused;
}

static void *other(void *unused) {
  free(condition);
  return unused;
}

int main(void) {
  condition = malloc(sizeof *condition);
  pthread_cond_init(condition, 0);
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
