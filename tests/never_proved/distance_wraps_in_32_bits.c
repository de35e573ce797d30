// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -m32
// With pointers of 32 bits, four times 2^30 + 12 is 48: the thread writes a[12].
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
char *getenv(const char *);
int atoi(const char *);

static int a[64];

static void *writes(void *arg) {
    unsigned i = atoi(getenv("N"));
    if (i <= 0x40000014u && i >= 0x4000000au)
        *(int *)((char *)a + 4u * i) = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writes, 0);
    a[12] = 2;
    pthread_join(t, 0);
    return 0;
}
