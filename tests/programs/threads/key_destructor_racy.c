// What a thread keeps under a key is handed to the key's destructor when the thread ends.
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;
int last;

void leave(void* value) {
  last = *(int*)value;  // RACE! last: main has not waited
  free(value);
}

void* work(void* arg) {
  int* mine = malloc(sizeof *mine);
  if (!mine) return 0;
  *mine = 1;
  pthread_setspecific(key, mine);
  return 0;
}

int main(void) {
  pthread_t a;
  if (pthread_key_create(&key, leave)) return 1;
  if (pthread_create(&a, 0, work, 0)) return 1;
  last = 0;  // RACE! last: main has not waited
  pthread_join(a, 0);
  return 0;
}
