// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/machine/large_stack.h"

#include <pthread.h>
#include <sys/mman.h>

namespace heddle {
namespace {

bool is_there_room_for(std::size_t bytes) {
  void* probe = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (probe != MAP_FAILED) munmap(probe, bytes);
  return probe != MAP_FAILED;
}

void* run_work(void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  return nullptr;
}

}  // namespace

bool run_on_stack(std::size_t stack_bytes, std::size_t room_beside, const std::function<void()>& work) {
  pthread_attr_t attributes;
  if (!is_there_room_for(stack_bytes + room_beside) || pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  void* argument = const_cast<std::function<void()>*>(&work);  // NOLINT: the system's signature
  const bool is_started = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                          pthread_create(&thread, &attributes, run_work, argument) == 0;
  pthread_attr_destroy(&attributes);
  if (is_started) pthread_join(thread, nullptr);
  return is_started;
}

}  // namespace heddle
