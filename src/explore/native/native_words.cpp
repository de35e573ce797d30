// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/native/native_words.h"

#include <array>
#include <cstring>

namespace heddle::explore {
namespace {

constexpr char digits[] = "0123456789abcdef";

std::string placeholder(std::uint64_t address) {
  std::string text;
  for (; address != 0; address >>= 4) text.insert(text.begin(), digits[address & 15]);
  return "@" + text;
}

bool is_atomic_operation(std::uint8_t op) {
  return op == HEDDLE_OP_ATOMIC_READ || op == HEDDLE_OP_ATOMIC_WRITE || op == HEDDLE_OP_ATOMIC_UPDATE;
}

}  // namespace

std::string NativeWords::name_of(std::uint64_t address) const { return placeholder(address); }

std::string NativeWords::value_at(const Bytes& bytes) const {
  constexpr std::uint64_t longest = 16;
  std::array<unsigned char, longest> copy{};
  const std::uint64_t count = std::min(bytes.size, longest);
  std::memcpy(copy.data(), reinterpret_cast<const void*>(bytes.address), count);
  std::string text = "0x";
  for (std::uint64_t i = count; i-- > 0;) {  // little end first
    text += digits[copy[i] >> 4];
    text += digits[copy[i] & 15];
  }
  return text;
}

std::string NativeWords::thread_name(ThreadIndex thread) const {
  return thread == 0 ? "main" : "thread " + std::to_string(thread);
}

std::vector<ReportFrame> NativeWords::stack(ThreadIndex thread) const {
  std::array<std::uint64_t, 64> addresses{};
  const std::size_t count = machine_->stack(thread, addresses.data(), addresses.size());
  std::vector<ReportFrame> frames;
  for (std::size_t i = 0; i < count; ++i) {
    ReportFrame& frame = frames.emplace_back();
    frame.function = placeholder(addresses[i]);
  }
  return frames;
}

ReportAccess NativeWords::access_at(ThreadIndex thread, AccessKey key) const {
  ReportAccess access;
  if (const AccessRow* row = table_.find(key)) {
    access.file = row->file;
    access.line = row->line;
    access.column = row->column;
    access.function = row->function;
    access.path = row->path;
    access.kind = row->kind;
  }
  access.thread = thread_name(thread);
  return access;
}

ReportAccess NativeWords::describe(ThreadIndex thread, const Bytes&) {
  const heddle_view& view = machine_.view(thread);
  ReportAccess access = access_at(thread, view.key);
  const bool reads = view.op == HEDDLE_OP_READ || view.op == HEDDLE_OP_ATOMIC_READ;
  if (access.kind.empty()) access.kind = reads ? "read" : "write";
  access.is_atomic = is_atomic_operation(view.op);
  access.stack = stack(thread);
  std::array<std::uint64_t, 64> locks{};
  const std::size_t count = machine_->held(thread, locks.data(), locks.size());
  for (std::size_t i = 0; i < count; ++i)
    access.locks.push_back(placeholder(locks[i] & ~std::uint64_t{1}) + ((locks[i] & 1) != 0 ? " (shared)" : ""));
  return access;
}

ReportAccess NativeWords::describe_made(const Deed& deed) {
  ReportAccess access = access_at(deed.thread, deed.key);
  if (access.kind.empty()) access.kind = only_reads(deed.kind) ? "read" : "write";
  access.is_atomic = is_atomic(deed.kind);
  access.stack = stack(deed.thread);
  return access;
}

void NativeWords::add_avoided(ThreadIndex thread, EndingKind kind, const char* text) {
  Ending& ending = avoided_.emplace_back();
  ending.kind = kind;
  ending.thread = thread;
  ending.what = text == nullptr ? "" : text;
  ending.stack = stack(thread);
}

Ending NativeWords::ending() const {
  Ending ending;
  bool waits = false, runs = false;
  for (ThreadIndex t = 0; t < machine_->thread_count; ++t) {
    const heddle_view& view = machine_.view(t);
    if (view.op == HEDDLE_OP_FAILED && !avoided_.empty()) return avoided_.back();
    runs = runs || view.op == HEDDLE_OP_EXIT || machine_->is_enabled(t) != 0;
    waits = waits || view.op != HEDDLE_OP_NONE;
  }
  if (waits && !runs) {
    ending.kind = EndingKind::Deadlock;
    ending.what = "no thread can go on";
  }
  return ending;
}

std::vector<Ending> NativeWords::misuses() const {
  if (machine_->gap == nullptr) return {};
  Ending misuse;
  misuse.kind = EndingKind::LockMisused;
  misuse.what = machine_->gap;
  return {misuse};
}

}  // namespace heddle::explore
