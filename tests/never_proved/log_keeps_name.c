// The log keeps the address of the name and reads it with each message.
#include <pthread.h>
#include <syslog.h>

static char name[8] = "a";

static void *message(void *unused) {
  syslog(LOG_INFO, "message");
  return unused;
}

static void *rename_it(void *unused) {
  name[0] = 'b';
  return unused;
}

int main(void) {
  pthread_t first, second;
  openlog(name, 0, LOG_USER);
  pthread_create(&first, 0, message, 0);
  pthread_create(&second, 0, rename_it, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
