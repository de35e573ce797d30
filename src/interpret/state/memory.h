// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects of a run. Each has a base address, its bytes, and for every bit whether it was never initialised. Objects
// lie at least 16 bytes apart and heap addresses are not used twice, so an address alone tells its object and a freed
// one is known as such. Address space, from below: functions, globals, one heap arena for each thread, a heap for what
// does not fit, stacks.
//
// This is memory as the machine has it: nothing is checked and no access is recorded. Memory as the program sees it,
// where a wild pointer ends the run, is core/space.h. Changes are written into the UndoLog while it is on; who stores
// bytes calls log_bytes first.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "interpret/code/decoded.h"
#include "interpret/state/undo_log.h"

namespace heddle::interpret {

enum class ObjectKind : std::uint8_t { Global, ThreadLocal, Heap, Stack, Library };
using ObjectId = std::uint32_t;

struct Object {
  Address base = 0;
  std::uint64_t size = 0;
  std::uint8_t* data = nullptr;
  std::uint8_t* undef = nullptr;
  ObjectKind kind = ObjectKind::Global;
  bool is_alive = false;
  bool is_shared = false;  ///< another thread may know its address
  bool is_constant = false;
  bool has_sync = false;                                 ///< a synchronisation object lies in it
  std::uint64_t rounded_begin = ~0ULL, rounded_end = 0;  ///< results of real arithmetic were stored there; not undone
  bool has_address = false;                              ///< an address was once stored in it; not undone
  bool has_odd_address = false;                          ///< and not at a multiple of its size
  ThreadIndex owner = 0;
  FunctionId function;  ///< where it was made; invalid for globals
  std::uint32_t instruction = 0;
  GlobalId global;
};

struct AllocationRequest {
  ObjectKind kind = ObjectKind::Heap;
  std::uint64_t size = 0;
  std::uint64_t align = 16;
  ThreadIndex thread = 0;
  FunctionId function;
  std::uint32_t instruction = 0;
  bool zeroed = false;
};

class Memory {
 public:
  Memory(std::uint32_t pointer_bits, std::uint32_t max_threads, UndoLog& log);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Places a global after the last one. Only before the first heap object.
  ObjectId add_global(std::uint64_t size, std::uint64_t align, bool is_constant);
  [[nodiscard]] static Address function_address(std::size_t index) { return function_base + index * function_gap; }
  /// Handles of threads: numbers that are no addresses, and of which a program knows as little.
  static constexpr Address handle_base = 0x7d3'0000;
  static constexpr std::uint64_t most_handles = 0x1'0000;
  /// Index of the function at an address; ~0 if there is none.
  [[nodiscard]] static std::size_t function_at(Address address, std::size_t count);

  /// 0 when the address space is used up.
  ObjectId allocate(const AllocationRequest& request);
  /// Stack objects: at `base`, which the thread's stack pointer chose.
  ObjectId allocate_at(const AllocationRequest& request, Address base);
  void release(ObjectId id);

  [[nodiscard]] Object& object(ObjectId id) { return objects_[id]; }
  [[nodiscard]] const Object& object(ObjectId id) const { return objects_[id]; }
  [[nodiscard]] ObjectId id_of(const Object& object) const { return static_cast<ObjectId>(&object - objects_.data()); }
  [[nodiscard]] std::size_t object_count() const { return objects_.size(); }

  /// The object of a pointer that knows its object, if the access is plainly right; null: look closer.
  [[nodiscard]] Object* accessible(const Slot& pointer, std::uint64_t size, bool is_write) {
    Object& object = objects_[pointer.object];
    const std::uint64_t offset = pointer.bits - object.base;
    if (pointer.object != 0 && offset <= object.size && size <= object.size - offset && object.is_alive &&
        pointer.undef == 0 && !(is_write && object.is_constant)) [[likely]]
      return &object;
    return nullptr;
  }

  /// The live object that holds `address` or ends there; 0 if none.
  [[nodiscard]] ObjectId find(Address address);
  /// A freed heap object that held `address`.
  [[nodiscard]] ObjectId find_dead(Address address) const;

  [[nodiscard]] Address stack_base(ThreadIndex thread) const { return stack_region_ + thread * stack_size_; }
  [[nodiscard]] std::uint64_t stack_size() const { return stack_size_; }
  [[nodiscard]] bool is_stack(Address address) const { return address >= stack_region_; }
  [[nodiscard]] std::uint64_t live_bytes() const { return live_bytes_; }
  [[nodiscard]] Address address_mask() const { return pointer_bits_ == 64 ? ~0ULL : 0xffffffffULL; }
  [[nodiscard]] std::uint32_t pointer_bytes() const { return pointer_bits_ / 8; }

  /// Whether a number is one that only an address or a handle has: of a live object, a dead one, a function.
  [[nodiscard]] bool is_address(std::uint64_t bits) const;
  /// Whether it is the handle of a thread.
  [[nodiscard]] static bool is_handle(std::uint64_t bits) {
    return bits >= handle_base && bits < handle_base + most_handles;
  }
  /// An address, or what may be one, will lie there.
  void add_address(Object& object, std::uint64_t offset) const {
    object.has_address = true;
    object.has_odd_address = object.has_odd_address || offset % pointer_bytes() != 0;
  }
  /// Whether one of these bytes belongs to such a number.
  [[nodiscard]] bool has_address_in(const Object& object, std::uint64_t offset, std::uint64_t count) const;
  [[nodiscard]] static bool has_rounded_in(const Object& object, std::uint64_t offset, std::uint64_t count) {
    return offset < object.rounded_end && object.rounded_begin < offset + count;
  }
  static void add_rounded(Object& object, std::uint64_t offset, std::uint64_t count) {
    object.rounded_begin = std::min(object.rounded_begin, offset);
    object.rounded_end = std::max(object.rounded_end, offset + count);
  }
  /// The doubt of a number that is loaded there.
  [[nodiscard]] std::uint32_t doubt_in(const Object& object, std::uint64_t offset, std::uint64_t count) const {
    if (object.has_address && has_address_in(object, offset, count)) return doubt::address;
    return has_rounded_in(object, offset, count) ? doubt::rounding : doubt::none;
  }
  /// Whether such a number lies partly in these bytes and partly outside.
  [[nodiscard]] bool cuts_address(const Object& object, std::uint64_t offset, std::uint64_t count) const;

  /// Writes the bytes that will be overwritten into the log; only while it is on.
  void log_bytes(ObjectId id, std::uint64_t offset, std::uint64_t count);
  /// Another thread may know the object from now on.
  void mark_shared(ObjectId id) {
    if (objects_[id].is_shared) return;
    if (log_.is_on()) log_.add({LogEntry::Kind::Share, 0, id, 0, 0, 0});
    objects_[id].is_shared = true;
  }
  /// A synchronisation object lies in the object from now on.
  void mark_sync(ObjectId id) {
    if (objects_[id].has_sync) return;
    if (log_.is_on()) log_.add({LogEntry::Kind::HasSync, 0, id, 0, 0, 0});
    objects_[id].has_sync = true;
  }
  void undo(const LogEntry& entry);
  /// Drops what freed objects in the log still hold; the log must be cleared then.
  void drop_freed();

 private:
  // Places that few numbers of a program are: what lies there is taken for an address.
  static constexpr Address function_base = 0x6b5'1000;
  static constexpr Address function_gap = 16;
  static constexpr std::uint64_t gap = 16;
  struct Entry {
    Address base = 0;
    ObjectId id = 0;
  };
  struct Arena {
    Address next = 0, end = 0;
    std::vector<Entry> entries;  ///< by address; freed objects stay
  };

  [[nodiscard]] bool is_address_at(const Object& object, std::uint64_t offset) const;
  [[nodiscard]] bool has_address_from(const Object& object, std::uint64_t first, std::uint64_t end) const;
  ObjectId new_object(const AllocationRequest& request, Address base);
  void drop_storage(Object& object);
  [[nodiscard]] ObjectId find_slow(Address address) const;
  [[nodiscard]] Arena* arena_of(Address address);
  [[nodiscard]] const Arena* arena_of(Address address) const { return const_cast<Memory*>(this)->arena_of(address); }
  static const Entry* entry_below(const std::vector<Entry>& entries, Address address);

  std::uint32_t pointer_bits_;
  std::vector<Object> objects_;
  std::vector<ObjectId> free_ids_;
  std::vector<Entry> globals_;
  Address global_base_ = 0, next_global_ = 0;
  Address heap_base_ = 0, arena_size_ = 0, common_base_ = 0, stack_region_ = 0;
  std::uint64_t stack_size_ = 0;
  std::vector<Arena> arenas_;  ///< one per thread, then the common one
  std::vector<std::vector<Entry>> stacks_;
  std::vector<Address> stack_tops_;  ///< the ends of the furthest objects that ever lay in them; not undone
  std::uint64_t live_bytes_ = 0;
  UndoLog& log_;
  std::array<ObjectId, 1024> recent_{};
  std::array<std::vector<std::uint8_t*>, 33> pool_;  ///< storage by size in units of 16 bytes
};

}  // namespace heddle::interpret
