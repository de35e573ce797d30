// Which characters are letters, the locale says (C11 7.11.1.1).
#include <ctype.h>
#include <locale.h>
#include <pthread.h>

static int letters;

static void *ask(void *unused) {
  letters = isalpha('x');
  return unused;
}

static void *set(void *unused) {
  setlocale(LC_ALL, "C");
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, ask, 0);
  pthread_create(&second, 0, set, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
