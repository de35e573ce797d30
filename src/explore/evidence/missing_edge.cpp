// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/missing_edge.h"

namespace heddle::explore {
namespace {

std::string named(ThreadIndex thread) { return thread == 0 ? "main" : "thread " + std::to_string(thread); }

}  // namespace

void WeakMessages::follow(std::span<const Deed> deeds) {
  for (const Deed& deed : deeds) {
    if (deed.kind == DeedKind::AtomicWrite) written_[deed.address] = deed;
    if (deed.kind != DeedKind::AtomicRead) continue;
    const auto write = written_.find(deed.address);
    if (write == written_.end() || write->second.thread == deed.thread) continue;
    if (!deed.acquires || !write->second.releases) messages_.push_back({write->second, deed});
  }
}

std::string WeakMessages::missing_edge(const DetectedRace& pair, const Subject& subject) const {
  const Message* found = nullptr;
  for (const Message& message : messages_)
    if (message.read.thread == pair.second.deed.thread &&
        (found == nullptr || message.write.thread == pair.first.deed.thread ||
         found->write.thread != pair.first.deed.thread))
      found = &message;
  if (found == nullptr) return "no operation of either thread makes one wait for the other";
  std::string why;
  if (!found->write.releases) why = "that write does not release";
  if (!found->read.acquires) {
    const char* const what = found->read.consumes ? "orders only what depends on the value" : "does not acquire";
    why += (why.empty() ? "the read " : ", and the read ") + std::string(what);
  }
  return named(found->read.thread) + " reads at " + subject.where(found->read.key) + " what " +
         named(found->write.thread) + " wrote at " + subject.where(found->write.key) + ", but " + why;
}

}  // namespace heddle::explore
