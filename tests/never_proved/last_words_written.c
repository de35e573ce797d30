// What a thread says before it ends the program is written by another.
#include <err.h>
#include <pthread.h>

static char text[8] = "a";

static void *say(void *unused) {
  errx(1, "%s", text);
  return unused;
}

static void *write_it(void *unused) {
  text[0] = 'b';
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, say, 0);
  pthread_create(&second, 0, write_it, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
