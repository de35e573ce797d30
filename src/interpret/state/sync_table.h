// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks, conditions, semaphores, barriers and once flags: one row per address that a call has used as one. The bytes of
// the object in the program's memory are not what the machine looks at, with one exception: a mutex that no call has
// initialised has the kind that its static initialiser wrote (PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP and its like).
//
//   sem_init(&s, 0, 2)           row of &s: count 2
//   pthread_mutex_lock(&m)       row of &m: owner 1, count 1
//   free(the object around m)    row of &m: as new; memory that is used again starts afresh
//
// This table only keeps: when an operation may be carried out is core/enabling.h, what it does is sync/. Who is about
// to change a row calls `save` first.
#pragma once
#include <unordered_map>
#include <vector>

#include "interpret/state/memory.h"

namespace heddle::interpret {

enum class LockType : std::uint8_t { Normal, Recursive, ErrorCheck };

/// A lock, condition, semaphore, barrier or once flag, known by its address.
struct Sync {
  Address address = 0;
  LockType type = LockType::Normal;
  ThreadIndex owner = no_thread;
  std::uint32_t count = 0;  ///< recursion, semaphore value, arrivals, once state
  std::uint32_t readers = 0;
  std::uint32_t limit = 0;  ///< barrier
  std::uint32_t generation = 0;

  [[nodiscard]] bool is_free() const { return owner == no_thread && readers == 0; }
};

class SyncTable {
 public:
  SyncTable(Memory& memory, UndoLog& log) : memory_(memory), log_(log) {}

  /// Made on first use. The reference is good until the next row is made.
  Sync& at(Address address);
  [[nodiscard]] const Sync* find(Address address) const {
    const auto it = index_.find(address);
    return it == index_.end() ? nullptr : &rows_[it->second];
  }
  [[nodiscard]] const std::vector<Sync>& rows() const { return rows_; }
  /// The object's memory is gone: what lay in it becomes as new.
  void drop_in(const Object& object) {
    if (object.has_sync) drop_rows(object);
  }

  void save(const Sync& row);
  void undo(const LogEntry& entry);
  void forget_saves() { saves_.clear(); }

 private:
  void drop_rows(const Object& object);

  Memory& memory_;
  UndoLog& log_;
  std::vector<Sync> rows_;
  std::unordered_map<Address, std::uint32_t> index_;
  std::vector<Sync> saves_;
};

}  // namespace heddle::interpret
