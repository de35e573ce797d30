// Was proved: an unsigned char above 200 was held to be impossible, as its signed reading ends at 127.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
    return NULL;
}

int main(void) {
    pthread_t t;
    unsigned char level = 0;
    sscanf("251", "%hhu", &level);
    pthread_create(&t, NULL, bump, NULL);
    if (level > 200)
        counter = 2;  // RACE! c1: level is 251
    pthread_join(t, NULL);
    return 0;
}
