// An exception from a function that never returns runs a destructor, outside of the lock that others take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

struct Counted {
    ~Counted() { count++; }  // RACE! c1: by the first thread without the lock
};

[[noreturn]] static void fail() { throw 1; }

static void *thrower(void *) {
    try {
        Counted counted;
        fail();
    } catch (...) {
    }
    return nullptr;
}

static void *locker(void *) {
    pthread_mutex_lock(&m);
    {
        Counted counted;
    }
    pthread_mutex_unlock(&m);
    return nullptr;
}

int main() {
    pthread_t a, b;
    pthread_create(&a, nullptr, thrower, nullptr);
    pthread_create(&b, nullptr, locker, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
}
