// A copied text has a length.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <string.h>

char b[16];
static void *worker(void *a) {
    strcpy(b, "hello");
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    b[2] = 1;
    pthread_join(thread, 0);
    return 0;
}
