// A store through a pointer that is one of two: both may hold the new address behind it.
#include <pthread.h>

static int shared, other;

static void put(int **a, int **b, int which) {
    int **at = which ? a : b;
    *at = &shared;
}

static void *worker(void *arg) {
    int *left = &other, *right = &other;
    put(&left, &right, arg != 0);
    *left = 1;   // RACE! s1: the address that was put there
    *right = 2;  // NORACE: main gives no null, so it is 'other', which nobody else has
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, &t);
    shared = 3;  // RACE! s1: the thread runs
    pthread_join(t, 0);
    return shared;  // NORACE: after the join
}
