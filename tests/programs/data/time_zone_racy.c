// The program writes a variable that localtime_r sets under a lock of the library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static void *stamp(void *arg) {
    (void)arg;
    time_t now = 0;
    struct tm parts;
    localtime_r(&now, &parts);  // RACE! tz: sets timezone
    return NULL;
}

static void *set(void *arg) {
    (void)arg;
    timezone = 5;  // RACE! tz: the other half
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, stamp, NULL);
    pthread_create(&b, NULL, set, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
