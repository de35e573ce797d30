// Limits of the process are read and set through memory of the program.
#include <pthread.h>
#include <sys/resource.h>

static struct rlimit limits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *setter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  setrlimit(RLIMIT_CORE, &limits);  // NORACE: both sides hold the lock
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, setter, 0);
  pthread_mutex_lock(&lock);
  getrlimit(RLIMIT_CORE, &limits);  // NORACE: both sides hold the lock
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
