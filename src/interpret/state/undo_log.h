// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of changes that a run can take back. Memory, the threads, the synchronisation objects and the state of the
// library each write a line here before they change something, and each can take back its own lines. The log itself
// knows only their order; Journal reads it backwards and hands each line to the part that wrote it.
//
//   store of 4 bytes      Bytes   object 7, offset 8, the old bytes
//   malloc                Allocate object 9
//   pthread_mutex_lock    Sync    address of the lock (its old row lies in SyncTable)
//   the step's thread     Thread  number 1            (its old registers lie in Threads)
//
// It is off until the first mark: a plain run pays one test per store. Something large, such as the registers of a
// thread, is copied once per epoch and not once per change; a mark begins a new epoch, and so does undoing.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::interpret {

struct LogEntry {
  enum class Kind : std::uint8_t { Bytes, Allocate, Free, Share, HasSync, Sync, NewSync, Thread, NewThread, Library };
  Kind kind = Kind::Bytes;
  std::uint8_t size = 0;
  std::uint32_t id = 0;  ///< of the object or the thread
  std::uint64_t offset = 0;
  std::uint64_t data = 0;
  std::uint64_t undef = 0;
};

class UndoLog {
 public:
  [[nodiscard]] bool is_on() const { return is_on_; }
  void set_on(bool on) { is_on_ = on; }

  void add(const LogEntry& entry) { entries_.push_back(entry); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::span<const LogEntry> since(std::size_t first) const { return std::span(entries_).subspan(first); }
  LogEntry take_last() {
    const LogEntry last = entries_.back();
    entries_.pop_back();
    return last;
  }
  void clear() { entries_.clear(); }

  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  std::uint64_t begin_epoch() { return epoch_ = next_epoch_++; }

 private:
  std::vector<LogEntry> entries_;
  std::uint64_t epoch_ = 0, next_epoch_ = 1;
  bool is_on_ = false;
};

}  // namespace heddle::interpret
