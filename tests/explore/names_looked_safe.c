// Threads that look at files and change none do not feel each other.
// EXPECT: race-free: 1 execution
// OPTIONS: --no-pdp
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static int found[2];
static void *asker(void *a) {
    struct stat status;
    for (int i = 0; i < 5; ++i)
        found[(long)a] += stat("there", &status) == 0 || access("there", F_OK) == 0;
    return 0;
}

int main() {
    pthread_t one, other;
    pthread_create(&one, 0, asker, (void *)0);
    pthread_create(&other, 0, asker, (void *)1);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return found[0] + found[1];
}
