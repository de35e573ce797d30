// Thread pool with a job queue: the result is written, then the job is counted as done under the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

#define JOBS 4

struct job {
    int input, result;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_done = PTHREAD_COND_INITIALIZER;
static struct job jobs[JOBS];
static int next_job, done;

static void *worker(void *arg) {
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&m);
        int mine = next_job < JOBS ? next_job++ : -1;  // NORACE: under m
        pthread_mutex_unlock(&m);
        if (mine < 0)
            return NULL;
        jobs[mine].result = jobs[mine].input + 1;  // NORACE: only the thread that took the job
        pthread_mutex_lock(&m);
        if (++done == JOBS)  // NORACE: under m
            pthread_cond_signal(&all_done);
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    pthread_t t[2];
    int sum = 0;
    for (int i = 0; i < JOBS; i++)
        jobs[i].input = i;  // NORACE: before the threads start
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    pthread_mutex_lock(&m);
    while (done < JOBS)  // NORACE: under m
        pthread_cond_wait(&all_done, &m);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < JOBS; i++)
        sum += jobs[i].result;  // NORACE: every job was counted after its result
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return sum != 10;
}
