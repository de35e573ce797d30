// Two queues made by one function, each with its own lock and flag, and four threads of two functions. One queue is
// emptied by two of them.
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
  queue->item = 1;  // RACE! c1: another one takes it, and gives it back too early
  queue->set(true);
}

static void take(Queue* queue) {
  while (!queue->has(true)) continue;
  queue->item = 2;  // RACE! c1: both can see that it is full
  queue->set(false);
}

static Queue* make() { return new Queue; }

int main() {
  Queue *one = make(), *other = make();
  std::thread a(put, one), b(take, one), c(put, other), d(take, one);
  a.join();
  b.join();
  c.join();
  d.join();
  return 0;
}
