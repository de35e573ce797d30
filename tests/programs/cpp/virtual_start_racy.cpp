// A thread that is started by a virtual call, where many functions have its machine type.
#include <pthread.h>

static int counter;

struct Env {
    virtual ~Env() {}
    virtual void note(void *(*)(void *), void *) {}
    virtual void start(void *(*run)(void *), void *arg) = 0;
    virtual void finish() = 0;
};

// All of these take three pointers, as `start` does.
struct Sink {
    virtual ~Sink() {}
    virtual void a(void *, void *) {}
    virtual void b(void *, void *) {}
    virtual void c(void *, void *) {}
    virtual void d(void *, void *) {}
    virtual void e(void *, void *) { counter = -1; }  // NORACE: no Env is a Sink, nobody calls it
    virtual void f(void *, void *) {}
    virtual void g(void *, void *) {}
    virtual void h(void *, void *) {}
    virtual void i(void *, void *) {}
};

struct ThreadEnv : Env {
    pthread_t thread;
    void start(void *(*run)(void *), void *arg) override { pthread_create(&thread, 0, run, arg); }
    void finish() override { pthread_join(thread, 0); }
};

static void *worker(void *arg) {
    counter++;  // RACE! v1: main writes it too
    return 0;
}

static Env *make() { return new ThreadEnv; }

int main() {
    Sink sink;
    Sink *some = &sink;
    some->i(0, 0);
    Env *env = make();
    env->start(worker, 0);
    counter++;  // RACE! v1: the thread runs
    env->finish();
    return counter;  // NORACE: after the join
}
