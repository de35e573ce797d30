// A store through a pointer that is one of two: both hold the same address before and behind it.
#include <pthread.h>

static int shared, other;

static void put(int **a, int **b, int which) {
    int **at = which ? a : b;
    *at = &other;
}

static void *worker(void *arg) {
    int *left = &other, *right = &other;
    put(&left, &right, arg != 0);
    *left = 1;   // NORACE: 'other' in any case
    *right = 2;  // NORACE: 'other' in any case
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, &t);
    shared = 3;  // NORACE: nobody else has it
    pthread_join(t, 0);
    return shared;  // NORACE: nobody else has it
}
