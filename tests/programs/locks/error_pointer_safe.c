// A function returns an object that it locked, or a number that stands for an error in a pointer.
#include <pthread.h>

struct item {
    pthread_mutex_t lock;
    int uses;
    struct item *next;
};

static struct item second = {PTHREAD_MUTEX_INITIALIZER, 0, NULL};
static struct item first = {PTHREAD_MUTEX_INITIALIZER, 0, &second};
static struct item *items = &first;

static void *error_pointer(long error) {
    return (void *)error;
}

static int is_error(const void *pointer) {
    return (unsigned long)pointer >= (unsigned long)-4095;
}

static struct item *get(long number) {
    struct item *found = items;
    while (found && number--)
        found = found->next;
    if (!found)
        return error_pointer(-22);
    pthread_mutex_lock(&found->lock);
    return found;
}

static void *worker(void *arg) {
    struct item *item = get((long)arg);
    if (is_error(item))
        return NULL;
    item->uses++;  // NORACE: get() has taken its lock
    pthread_mutex_unlock(&item->lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return second.uses != 2;  // NORACE: after both joins
}
