// Addresses of device registers are numbers: they can be compared, and lie where the source says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>

typedef struct {
    volatile uint32_t mode, output;
} Port;

#define PORT_A ((Port *)0x40020000)
#define PORT_B ((Port *)0x40020400)

static Port *const ports[2] = {PORT_A, PORT_B};
static int found;

static void *worker(void *arg) {
    (void)arg;
    if (ports[0] == PORT_A) found = 1;  // NORACE: main never comes to its write
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (ports[1] != PORT_B || (uintptr_t)ports[1] - (uintptr_t)PORT_A != 0x400) found = 2;
    pthread_join(t, NULL);
    return found - 1;
}
