// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of threads. A search that compares executions needs numbers that do not depend on which of two creators was
// faster: there a thread keeps the number it got when its creator first made its so-many-th thread in any execution.
// Numbers of threads that this execution has not made stand for nobody.
#include "base/check.h"
#include "interpret/core/core.h"

namespace heddle::interpret {
namespace {

Thread nobody() {
  Thread thread;
  thread.status = ThreadStatus::Finished;
  thread.op = OpKind::None;
  return thread;
}

bool is_nobody(const Thread& thread) { return !thread.entry.valid() && thread.op == OpKind::None; }

}  // namespace

Thread& Core::add_thread(ThreadIndex& index) {
  const std::uint32_t ordinal = threads[current].children++;
  index = static_cast<ThreadIndex>(threads.size());
  if (options.stable_threads) {
    const auto next = static_cast<ThreadIndex>(thread_names.size() + 1);
    index = thread_names.try_emplace({current, ordinal}, next).first->second;
  }
  if (index >= options.max_threads) end_run(OutcomeKind::CapReached, "threads");
  while (threads.size() <= index) threads.push_back(nobody());
  HEDDLE_CHECK(is_nobody(threads[index]), "two threads with one number");
  threads[index] = {};
  threads[index].creator = current;
  threads[index].ordinal = ordinal;
  threads[index].saved_in = epoch;
  if (memory.logging()) memory.log().push_back({LogEntry::Kind::NewThread, 0, index, 0, 0, 0});
  ++live_threads;
  return threads[index];
}

void Core::remove_thread(ThreadIndex index) {
  threads[index] = nobody();
  while (threads.size() > 1 && is_nobody(threads.back())) threads.pop_back();
}

ThreadIndex Core::thread_with(std::uint64_t handle) const {
  if (handle == 0 || handle > threads.size() || (handle > 1 && is_nobody(threads[handle - 1]))) return no_thread;
  return static_cast<ThreadIndex>(handle - 1);
}

}  // namespace heddle::interpret
