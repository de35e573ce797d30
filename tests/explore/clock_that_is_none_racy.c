// There is no such clock: the calls fail at once, for another reason than that their time is over.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static int refused, counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t permits;

static void *count(void *unused) {
    if (refused == 2) counter++;
    return unused;
}

int main(void) {
    pthread_t first, second;
    struct timespec soon = {0, 0};
    sem_init(&permits, 0, 1);
    if (pthread_mutex_clocklock(&mutex, -1, &soon) == EINVAL) refused++;
    if (sem_clockwait(&permits, -1, &soon) == -1 && errno == EINVAL) refused++;
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
