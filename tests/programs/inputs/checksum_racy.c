// A message with a good checksum is answered without a lock.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// CONFIRMED: a solver finds the inputs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char message[4];
static int answered;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static unsigned checksum(void) {
    unsigned sum = 1, total = 0;
    for (int i = 0; i < 4; i++) {
        sum = (sum + message[i]) % 251;
        total = (total + sum) % 251;
    }
    return total << 8 | sum;
}

static void *reader(void *arg) {
    const int is_good = checksum() == 0x5a11;
    if (!is_good) pthread_mutex_lock(&m);
    answered++;  // RACE! a: for messages with that checksum
    if (!is_good) pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 4; i++) message[i] = __VERIFIER_nondet_uchar();
    pthread_create(&t, NULL, reader, NULL);
    pthread_mutex_lock(&m);
    answered++;  // RACE! a: the other half
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
