// strtok keeps its position in a hidden variable that all threads share.
// TSAN-MISSES: the hidden variable lives in the C library, which is not instrumented
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <string.h>

static void *split(void *arg) {
    (void)arg;
    char text[] = "a b c";
    for (char *word = strtok(text, " "); word != NULL;)  // RACE! t1: writes the hidden position
        word = strtok(NULL, " ");  // RACE! t1: reads and writes the hidden position
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, split, NULL);
    pthread_create(&b, NULL, split, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
