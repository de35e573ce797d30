// Starts another program and reads what it says.
// EXPECT: unknown: another program is started
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

int shared;
static void *worker(void *a) {
    FILE *f = popen("echo hi", "r");
    char b[8];
    fgets(b, 8, f);
    pclose(f);
    shared = 1;
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
