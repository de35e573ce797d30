// Pages with a limit (TACAS09, Figure 1, from its words): one thread takes a page, one gives one back. The two places
// with `sh` have no lock in common, and the test lets through who finds the limit reached.
#include <pthread.h>
#include <stdatomic.h>

#define LIMIT 1

atomic_int pg_count = LIMIT;
int sh;
pthread_mutex_t plk = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t count_lk = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t pg_lim = PTHREAD_COND_INITIALIZER;

void* alloc_page(void* arg) {
  pthread_mutex_lock(&plk);
  if (pg_count > LIMIT) {
    pthread_cond_wait(&pg_lim, &plk);
    pthread_mutex_unlock(&plk);
    return 0;
  }
  pthread_mutex_lock(&count_lk);
  pthread_mutex_unlock(&plk);
  sh = 5;  // RACE! sh: each knows less than it acts on
  pg_count++;
  pthread_mutex_unlock(&count_lk);
  return 0;
}

void* dealloc_page(void* arg) {
  pthread_mutex_lock(&plk);
  if (pg_count == LIMIT) {
    sh = 2;  // RACE! sh: each knows less than it acts on
    pg_count--;
    pthread_cond_signal(&pg_lim);
    pthread_mutex_unlock(&plk);
    return 0;
  }
  pthread_mutex_lock(&count_lk);
  pthread_mutex_unlock(&plk);
  pg_count--;
  sh = 4;  // NORACE: under count_lk
  pthread_mutex_unlock(&count_lk);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, alloc_page, 0);
  pthread_create(&b, 0, dealloc_page, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
