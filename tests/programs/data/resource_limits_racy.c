// Limits of the process are read and set through memory of the program.
#include <pthread.h>
#include <sys/resource.h>

static struct rlimit limits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *setter(void *unused) {
  (void)unused;
  setrlimit(RLIMIT_CORE, &limits);  // RACE! limits: it reads what main writes meanwhile
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, setter, 0);
  pthread_mutex_lock(&lock);
  getrlimit(RLIMIT_CORE, &limits);  // RACE! limits: it writes what the thread reads
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
