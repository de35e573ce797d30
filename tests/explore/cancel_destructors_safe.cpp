// A cancelled thread leaves its frames as an exception would, and a handler that keeps it ends the program.
// EXPECT: unknown: a cancelled thread may also end inside the C library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>

#include <atomic>

static sem_t never;
static std::atomic<int> left;
static int wrong;

struct Guard {
    ~Guard() { left++; }
};

static void *worker(void *keeps) {
    Guard outer;
    try {
        Guard inner;
        sem_wait(&never);
    } catch (...) {
        left++;
        if (!keeps)
            throw;
    }
    wrong++;
    return nullptr;
}

static void *meet(void *) {
    wrong++;
    return nullptr;
}

int main() {
    pthread_t thread;
    void *result = nullptr;
    sem_init(&never, 0, 0);
    pthread_create(&thread, nullptr, worker, nullptr);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    if (result != PTHREAD_CANCELED || left != 3 || wrong != 0) {
        pthread_create(&thread, nullptr, meet, nullptr);
        wrong++;  // a race if anything went otherwise
    }
    pthread_create(&thread, nullptr, worker, &wrong);
    pthread_cancel(thread);
    wrong++;  // a race if the thread goes on behind its handler
    pthread_join(thread, nullptr);
    return 0;
}
