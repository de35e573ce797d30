// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins that fail: of a std::thread that stands for no thread, of a detached thread, of the caller.
#include <pthread.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <thread>
static const char* word(int error) {
  return error == 0 ? "0" : error == EINVAL ? "EINVAL" : error == EDEADLK ? "EDEADLK" : "other";
}
static void* wait(void* lock) {
  pthread_mutex_lock(static_cast<pthread_mutex_t*>(lock));
  pthread_mutex_unlock(static_cast<pthread_mutex_t*>(lock));
  return nullptr;
}
int main() {
  std::thread empty, done([] {});
  done.join();
  for (std::thread* each : {&empty, &done})
    for (int detach = 0; detach < 2; detach++) try {
        if (detach)
          each->detach();
        else
          each->join();
        std::printf("not reached\n");
      } catch (const std::system_error&) {
        std::printf("throws\n");
      }
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  pthread_t t;
  pthread_create(&t, nullptr, wait, &lock);
  std::printf("%s", word(pthread_detach(t)));
  std::printf(" %s", word(pthread_detach(t)));
  std::printf(" %s\n", word(pthread_join(t, nullptr)));
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &detached, wait, &lock);
  std::printf("%s %s\n", word(pthread_join(t, nullptr)), word(pthread_join(pthread_self(), nullptr)));
  pthread_mutex_unlock(&lock);
  return 0;
}
