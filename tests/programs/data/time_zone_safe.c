// localtime_r and strftime set the variables of the time zone under a lock of the library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static void *stamp(void *arg) {
    (void)arg;
    time_t now = 0;
    struct tm parts;
    char text[20];
    localtime_r(&now, &parts);                   // NORACE: the library's lock
    strftime(text, sizeof text, "%F", &parts);   // NORACE: the library's lock
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, stamp, NULL);
    pthread_create(&b, NULL, stamp, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
