// The arguments of another program are read one by one.
#include <pthread.h>
#include <unistd.h>

static char text[8] = "a";

static void *start(void *unused) {
  char *arguments[] = {text, 0};
  execv("/nonexistent/program", arguments);
  return unused;
}

static void *write_it(void *unused) {
  text[0] = 'b';
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, start, 0);
  pthread_create(&second, 0, write_it, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
