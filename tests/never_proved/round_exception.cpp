// Frames of a function that throws and catches itself, one in the other.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <pthread.h>

static std::atomic<int> flag;
static int x;

static void again(int n) {
    try {
        flag.load();
        throw n;
    } catch (int caught) {
        flag.load();
        if (caught < 3)
            again(caught + 1);
        else
            x = 1;
    }
}

static void *wait(void *unused) {
    again(0);
    return unused;
}

int main() {
    pthread_t h;
    pthread_create(&h, nullptr, wait, nullptr);
    x = 2;
    pthread_join(h, nullptr);
    return 0;
}
