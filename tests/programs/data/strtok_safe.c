// strtok_r keeps its position in the caller's variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <string.h>

static void *split(void *arg) {
    (void)arg;
    char text[] = "a b c";
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word != NULL;)  // NORACE: position in rest
        word = strtok_r(NULL, " ", &rest);  // NORACE: position in rest
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
