// Two queues made by one function, each with its own lock and flag, and four threads of two functions.
#include <mutex>
#include <thread>

struct Queue {
  std::mutex lock;
  bool is_full = false;
  int item = 0;

  bool has(bool full) {
    std::lock_guard<std::mutex> hold(lock);
    return is_full == full;
  }
  void set(bool full) {
    std::lock_guard<std::mutex> hold(lock);
    is_full = full;
  }
};

static void put(Queue* queue) {
  while (!queue->has(false)) continue;
  queue->item = 1;  // NORACE: it is empty, and only this thread fills it -> refuted(transactions)
  queue->set(true);
}

static void take(Queue* queue) {
  while (!queue->has(true)) continue;
  queue->item = 2;  // NORACE: it is full, and only this thread empties it -> refuted(transactions)
  queue->set(false);
}

static Queue* make() { return new Queue; }

int main() {
  Queue *one = make(), *other = make();
  std::thread a(put, one), b(take, one), c(put, other), d(take, other);
  a.join();
  b.join();
  c.join();
  d.join();
  return 0;
}
