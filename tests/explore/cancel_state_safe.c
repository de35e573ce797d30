// Who does not want to be cancelled is not, until it wants to.
// EXPECT: unknown: a cancelled thread may also end inside the C library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>

static sem_t sent;
static int before = 7, worked, wrong;

static void *worker(void *unused) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    sem_wait(&sent);
    pthread_testcancel();
    worked = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    worked = 2;
    pthread_testcancel();
    wrong++;
    return 0;
}

static void *meet(void *unused) {
    wrong++;
    return 0;
}

int main() {
    pthread_t thread;
    void *result = 0;
    sem_init(&sent, 0, 0);
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    sem_post(&sent);
    pthread_join(thread, &result);
    // The mark may come first, but there is no point before it says what it wants.
    if (result == PTHREAD_CANCELED && worked == 2 && before == PTHREAD_CANCEL_ENABLE && wrong == 0)
        return 0;
    pthread_create(&thread, 0, meet, 0);
    wrong++;  // a race if anything went otherwise
    return 1;
}
