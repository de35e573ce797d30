// Threads are cancelled where they wait for ever: a semaphore, another thread, a pipe, a signal, descriptors, a sleep.
// EXPECT: unknown: a cancelled thread may also end inside the C library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t never;
static int ends[2], wrong, cleaned;
static pthread_t main_thread;

static void count(void *unused) {
    cleaned++;
}

static void wait_there(int where) {
    char byte;
    int number;
    sigset_t set;
    struct pollfd one = {ends[0], POLLIN, 0};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    switch (where) {
        case 0: sem_wait(&never); break;
        case 1: pthread_join(main_thread, 0); break;
        case 2: read(ends[0], &byte, 1); break;
        case 3: sigwait(&set, &number); break;
        case 4: poll(&one, 1, -1); break;
        case 5: for (;;) sleep(1);
        default: for (;;) pthread_testcancel();
    }
}

static void *waiter(void *where) {
    pthread_cleanup_push(count, 0);
    wait_there((int)(long)where);
    pthread_cleanup_pop(0);
    wrong++;
    return 0;
}

static void *meet(void *unused) {
    wrong++;
    return 0;
}

int main() {
    main_thread = pthread_self();
    sem_init(&never, 0, 0);
    pipe(ends);
    for (long where = 0; where < 7; where++) {
        pthread_t thread;
        void *result = 0;
        pthread_create(&thread, 0, waiter, (void *)where);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result == PTHREAD_CANCELED && wrong == 0)
            continue;
        pthread_create(&thread, 0, meet, 0);
        wrong++;  // a race if anything went otherwise
        return 1;
    }
    return 0;
}
