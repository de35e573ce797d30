// What runs once runs again when the program sets its flag back.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;

static void make(void) { made++; }

static void *worker(void *unused) {
    pthread_once(&once, make);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_once(&once, make);
    once = (pthread_once_t)PTHREAD_ONCE_INIT;
    pthread_create(&t, NULL, worker, NULL);
    int seen = made;
    pthread_join(t, NULL);
    return seen == 7;
}
