// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/state/sync_table.h"

namespace heddle::interpret {
namespace {

/// glibc keeps the type of a mutex behind lock, count, owner (and a user count with 64 bits).
LockType static_type(Memory& memory, Address address) {
  const std::uint64_t offset = memory.pointer_bytes() == 8 ? 16 : 12;
  const ObjectId id = memory.find(address);
  if (id == 0) return LockType::Normal;
  const Object& object = memory.object(id);
  const std::uint64_t at = address - object.base + offset;
  if (at + 4 > object.size) return LockType::Normal;
  std::uint32_t kind = 0;
  std::memcpy(&kind, object.data + at, 4);
  return kind == 1 ? LockType::Recursive : kind == 2 ? LockType::ErrorCheck : LockType::Normal;
}

}  // namespace

Sync& SyncTable::at(Address address) {
  const auto [it, is_new] = index_.try_emplace(address, static_cast<std::uint32_t>(rows_.size()));
  if (is_new) {
    Sync row;
    row.address = address;
    row.type = static_type(memory_, address);
    rows_.push_back(row);
    if (log_.is_on()) log_.add({LogEntry::Kind::NewSync, 0, 0, address, 0, 0});
  }
  return rows_[it->second];
}

void SyncTable::drop_rows(const Object& object) {
  for (Sync& row : rows_) {
    if (row.address - object.base >= object.size) continue;
    save(row);
    row = {row.address, LockType::Normal, no_thread, 0, 0, 0, 0};
  }
}

void SyncTable::save(const Sync& row) {
  if (!log_.is_on()) return;
  saves_.push_back(row);
  log_.add({LogEntry::Kind::Sync, 0, 0, row.address, 0, 0});
}

void SyncTable::undo(const LogEntry& entry) {
  if (entry.kind == LogEntry::Kind::NewSync) {
    index_.erase(entry.offset);
    rows_.pop_back();
    return;
  }
  rows_[index_.at(entry.offset)] = saves_.back();
  saves_.pop_back();
}

}  // namespace heddle::interpret
