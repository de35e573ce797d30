// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "explore/toy_executor.h"

namespace heddle::explore::toy {
namespace {

template <class Predicate>
bool any_operation(const Threads& threads, Predicate predicate) {
  return std::ranges::any_of(threads, [&](const auto& thread) { return std::ranges::any_of(thread, predicate); });
}

}  // namespace

ToySubject::ToySubject(const std::vector<std::string>& threads) : threads_(parse(threads)) {
  Hasher hasher;
  for (const std::string& text : threads) hasher.add(text);
  identity_ = hasher.finish().hex();
}

std::unique_ptr<Executor> ToySubject::for_search(const ExecutionLimits& limits) const {
  return std::make_unique<ToyExecutor>(threads_, Use::Search, limits, nullptr);
}

std::unique_ptr<Executor> ToySubject::for_run(const RunLimits&, Inputs& inputs) const {
  ExecutionLimits limits;
  limits.events = UINT64_MAX;
  return std::make_unique<ToyExecutor>(threads_, Use::Run, limits, &inputs);
}

std::unique_ptr<Executor> ToySubject::for_replay(const ReplayLimits&, Inputs& inputs) const {
  ExecutionLimits limits;
  limits.events = UINT64_MAX;
  limits.at_accesses = true;
  return std::make_unique<ToyExecutor>(threads_, Use::Replay, limits, &inputs);
}

std::vector<std::uint64_t> ToySubject::candidate_values() const {
  std::set<std::uint64_t> values{0, 1, ~std::uint64_t{0}};
  for (const auto& thread : threads_)
    for (const Operation& operation : thread)
      if (operation.kind == Kind::Input) values.insert(operation.value);
  return {values.begin(), values.end()};
}

MemoryOrders ToySubject::memory_orders() const {
  const bool is_weak = any_operation(threads_, [](const Operation& operation) {
    return operation.kind == Kind::RelaxedRead || operation.kind == Kind::RelaxedWrite;
  });
  return is_weak ? MemoryOrders::AsWritten : MemoryOrders::SequentiallyConsistent;
}

std::string ToySubject::where(AccessKey key) const {
  return key == no_access ? "" : "thread " + std::to_string(key >> 32U) + ":" + std::to_string(key & 0xffffffffU);
}

ReportAccess ToyExecutor::ToyWords::describe(ThreadIndex thread, const Bytes& bytes) {
  ReportAccess access;
  for (const NextAccess& next : executor_.next_accesses(thread)) {
    access.kind = next.is_write ? "write" : "read";
    access.is_atomic = next.is_atomic;
  }
  access.path = name_of(bytes.address);
  access.stack = stack(thread);
  access.line = access.stack.front().line;
  access.thread = thread_name(thread);
  for (const std::uint64_t lock : executor_.held(thread)) access.locks.push_back(name_of(lock));
  return access;
}

ReportAccess ToyExecutor::ToyWords::describe_made(const Deed& deed) {
  ReportAccess access;
  access.kind = only_reads(deed.kind) ? "read" : "write";
  access.is_atomic = is_atomic(deed.kind);
  access.path = name_of(deed.address);
  access.thread = thread_name(deed.thread);
  access.line = static_cast<std::uint32_t>(deed.key);
  return access;
}

std::string ToyExecutor::ToyWords::name_of(std::uint64_t address) const {
  static const char* const kinds[] = {"variable ", "cell ", "lock ", "semaphore "};
  const std::uint64_t object = address / 16;
  return kinds[object / 1'000] + std::to_string(object % 1'000);
}

std::string ToyExecutor::ToyWords::value_at(const Bytes& bytes) const {
  const std::uint64_t object = bytes.address / 16;
  const auto& values = object < 1'000 ? executor_.now_.variables : executor_.now_.cells;
  return std::to_string(values[object % 1'000]);
}

std::string ToyExecutor::ToyWords::thread_name(ThreadIndex thread) const {
  return thread == 0 ? "main" : "thread " + std::to_string(thread);
}

std::vector<ReportFrame> ToyExecutor::ToyWords::stack(ThreadIndex thread) const {
  if (executor_.operation_of(thread) == nullptr) return {};
  ReportFrame frame;
  frame.function = thread_name(thread);
  frame.line = static_cast<std::uint32_t>(executor_.now_.threads[thread].at);
  return {frame};
}

}  // namespace heddle::explore::toy
