// The name that getpwnam gives lies in memory of the library, which the next call writes: reading it without the lock
// races with a call that holds it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <pwd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *asks(void *arg) {
    pthread_mutex_lock(&lock);
    getpwnam("root");
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, asks, NULL);
    pthread_mutex_lock(&lock);
    struct passwd *found = getpwnam("daemon");
    char *name = found ? found->pw_name : NULL;
    pthread_mutex_unlock(&lock);
    char first = name ? name[0] : 0;
    pthread_join(t, NULL);
    return first == 'd';
}
