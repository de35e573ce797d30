// Two threads change different words of one private mapping of a file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>

static int *words;

static void *change(void *arg) {
    words[0] = 1;  // NORACE: the other thread changes another word
    return arg;
}

int main(int argc, char **argv) {
    pthread_t t;
    if (argc < 2) return 1;
    int file = open(argv[1], O_RDONLY);
    void *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED) return 1;
    words = memory;
    pthread_create(&t, 0, change, 0);
    words[1] = 2;  // NORACE: another word
    pthread_join(t, 0);
    return 0;
}
