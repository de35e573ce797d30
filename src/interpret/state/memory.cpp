// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/state/memory.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::interpret {
namespace {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }
constexpr std::size_t pool_class(std::uint64_t size) { return static_cast<std::size_t>((2 * size + 15) / 16); }

}  // namespace

Memory::Memory(std::uint32_t pointer_bits, std::uint32_t max_threads, UndoLog& log)
    : pointer_bits_(pointer_bits), objects_(1), log_(log) {
  const std::uint64_t threads = std::max<std::uint64_t>(1, max_threads);
  if (pointer_bits == 64) {
    global_base_ = 0x2a5c'4000'0000ULL;
    heap_base_ = 0x5a10'3c00'0000ULL;
    arena_size_ = 1ULL << 34;
    common_base_ = heap_base_ + threads * arena_size_;
    stack_region_ = common_base_ + (1ULL << 40);
    stack_size_ = 1ULL << 26;
  } else {
    global_base_ = 0x0900'0000ULL;
    heap_base_ = 0x3000'0000ULL;
    arena_size_ = std::min<std::uint64_t>(1ULL << 24, 0x3000'0000ULL / threads) & ~0xfffULL;
    common_base_ = heap_base_ + threads * arena_size_;
    stack_region_ = 0xb000'0000ULL;
    stack_size_ = std::min<std::uint64_t>(1ULL << 23, 0x4f00'0000ULL / threads) & ~0xfffULL;
  }
  next_global_ = global_base_;
  arenas_.resize(threads + 1);
  for (std::size_t i = 0; i < threads; ++i) {
    arenas_[i].next = heap_base_ + i * arena_size_ + gap;
    arenas_[i].end = heap_base_ + (i + 1) * arena_size_ - gap;
  }
  arenas_[threads] = {common_base_ + gap, stack_region_ - gap, {}};
  stacks_.resize(threads);
  stack_tops_.resize(threads);
}

Memory::~Memory() {
  for (Object& object : objects_) delete[] object.data;
  for (auto& storages : pool_)
    for (std::uint8_t* storage : storages) delete[] storage;
}

ObjectId Memory::new_object(const AllocationRequest& request, Address base) {
  ObjectId id = 0;
  if (free_ids_.empty()) {
    id = static_cast<ObjectId>(objects_.size());
    objects_.emplace_back();
  } else {
    id = free_ids_.back();
    free_ids_.pop_back();
  }
  Object& object = objects_[id];
  object = {};
  object.base = base;
  object.size = request.size;
  object.kind = request.kind;
  object.is_alive = true;
  object.owner = request.thread;
  object.function = request.function;
  object.instruction = request.instruction;
  const std::size_t size_class = pool_class(request.size);
  if (size_class < pool_.size() && !pool_[size_class].empty()) {
    object.data = pool_[size_class].back();
    pool_[size_class].pop_back();
  } else {
    object.data = new std::uint8_t[size_class < pool_.size() ? size_class * 16 : 2 * request.size];
  }
  object.undef = object.data + request.size;
  std::memset(object.data, 0, request.size);
  std::memset(object.undef, request.zeroed ? 0 : 0xff, request.size);
  live_bytes_ += request.size;
  if (log_.is_on()) log_.add({LogEntry::Kind::Allocate, 0, id, 0, 0, 0});
  return id;
}

ObjectId Memory::add_global(std::uint64_t size, std::uint64_t align, bool is_constant) {
  const Address base = round_up(next_global_, std::max<std::uint64_t>(align, 16));
  next_global_ = base + size + gap;
  const ObjectId id = new_object({ObjectKind::Global, size, align, 0, {}, 0, true}, base);
  objects_[id].is_shared = !is_constant;
  objects_[id].is_constant = is_constant;
  globals_.push_back({base, id});
  return id;
}

std::size_t Memory::function_at(Address address, std::size_t count) {
  if (address < function_base || (address - function_base) % function_gap != 0) return ~std::size_t{0};
  const std::size_t index = (address - function_base) / function_gap;
  return index < count ? index : ~std::size_t{0};
}

ObjectId Memory::allocate(const AllocationRequest& request) {
  const std::uint64_t align = std::max<std::uint64_t>(request.align, 16);
  for (const std::size_t which : {static_cast<std::size_t>(request.thread), arenas_.size() - 1}) {
    Arena& arena = arenas_[which];
    const Address base = round_up(arena.next, align);
    if (base >= arena.end || request.size > arena.end - base || arena.end - base - request.size < gap) continue;
    arena.next = base + request.size + gap;
    const ObjectId id = new_object(request, base);
    arena.entries.push_back({base, id});
    return id;
  }
  return 0;
}

ObjectId Memory::allocate_at(const AllocationRequest& request, Address base) {
  const ObjectId id = new_object(request, base);
  stacks_[request.thread].push_back({base, id});
  stack_tops_[request.thread] = std::max(stack_tops_[request.thread], base + request.size);
  return id;
}

void Memory::drop_storage(Object& object) {
  if (object.data == nullptr) return;
  const std::size_t size_class = pool_class(object.size);
  if (size_class < pool_.size() && pool_[size_class].size() < 4096)
    pool_[size_class].push_back(object.data);
  else
    delete[] object.data;
  object.data = nullptr;
  object.undef = nullptr;
}

void Memory::release(ObjectId id) {
  Object& object = objects_[id];
  object.is_alive = false;
  live_bytes_ -= object.size;
  if (object.kind == ObjectKind::Stack) {
    auto& stack = stacks_[object.owner];
    HEDDLE_CHECK(!stack.empty() && stack.back().id == id, "stack objects die in reverse order");
    stack.pop_back();
  }
  if (log_.is_on()) {
    log_.add({LogEntry::Kind::Free, 0, id, 0, 0, 0});
    return;
  }
  drop_storage(object);
  // A heap object's row stays, so that a use of it can be told from a wild address.
  if (object.kind == ObjectKind::Stack) free_ids_.push_back(id);
}

const Memory::Entry* Memory::entry_below(const std::vector<Entry>& entries, Address address) {
  const auto it = std::ranges::upper_bound(entries, address, {}, &Entry::base);
  return it == entries.begin() ? nullptr : &*(it - 1);
}

Memory::Arena* Memory::arena_of(Address address) {
  if (address < heap_base_ || address >= stack_region_) return nullptr;
  if (address >= common_base_) return &arenas_.back();
  return &arenas_[(address - heap_base_) / arena_size_];
}

ObjectId Memory::find_slow(Address address) const {
  const Entry* entry = nullptr;
  if (address < heap_base_) {
    entry = entry_below(globals_, address);
  } else if (const Arena* arena = arena_of(address); arena != nullptr) {
    entry = entry_below(arena->entries, address);
  } else if (const std::uint64_t thread = (address - stack_region_) / stack_size_; thread < stacks_.size()) {
    entry = entry_below(stacks_[thread], address);
  }
  if (entry == nullptr) return 0;
  const Object& found = objects_[entry->id];
  return found.is_alive && address - found.base <= found.size ? entry->id : 0;
}

ObjectId Memory::find(Address address) {
  ObjectId& recent = recent_[(address >> 4) & (recent_.size() - 1)];
  const Object& guess = objects_[recent];
  if (guess.is_alive && address - guess.base <= guess.size) return recent;
  const ObjectId found = find_slow(address);
  if (found != 0) recent = found;
  return found;
}

ObjectId Memory::find_dead(Address address) const {
  const Arena* arena = arena_of(address);
  const Entry* entry = arena == nullptr ? nullptr : entry_below(arena->entries, address);
  if (entry == nullptr) return 0;
  const Object& found = objects_[entry->id];
  return !found.is_alive && address - found.base <= found.size ? entry->id : 0;
}

bool Memory::is_address(std::uint64_t bits) const {
  if (bits < function_base) return false;
  if (bits < handle_base) return (bits - function_base) % function_gap == 0;
  if (bits < global_base_) return is_handle(bits);
  if (bits < heap_base_) return bits < next_global_;
  if (const Arena* arena = arena_of(bits); arena != nullptr) return bits < arena->next;
  const std::uint64_t thread = (bits - stack_region_) / stack_size_;
  return thread < stacks_.size() && bits <= stack_tops_[thread];
}

bool Memory::is_address_at(const Object& object, std::uint64_t offset) const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, object.data + offset, pointer_bytes());
  return is_address(bits);
}

/// Whether one begins at `first` or behind it, and in front of `end`.
bool Memory::has_address_from(const Object& object, std::uint64_t first, std::uint64_t end) const {
  const std::uint64_t word = pointer_bytes(), step = object.has_odd_address ? 1 : word;
  for (std::uint64_t at = (first + step - 1) / step * step; at < end && at + word <= object.size; at += step)
    if (is_address_at(object, at)) return true;
  return false;
}

bool Memory::has_address_in(const Object& object, std::uint64_t offset, std::uint64_t count) const {
  const std::uint64_t word = pointer_bytes();
  return has_address_from(object, offset < word ? 0 : offset - word + 1, offset + count);
}

bool Memory::cuts_address(const Object& object, std::uint64_t offset, std::uint64_t count) const {
  const std::uint64_t word = pointer_bytes();
  const auto cut_at = [&](std::uint64_t edge) {
    return has_address_from(object, edge < word ? 0 : edge - word + 1, edge);
  };
  return cut_at(offset) || cut_at(offset + count);
}

void Memory::log_bytes(ObjectId id, std::uint64_t offset, std::uint64_t count) {
  const Object& object = objects_[id];
  while (count > 0) {
    const std::uint64_t part = std::min<std::uint64_t>(count, 8);
    LogEntry entry{LogEntry::Kind::Bytes, static_cast<std::uint8_t>(part), id, offset, 0, 0};
    std::memcpy(&entry.data, object.data + offset, part);
    std::memcpy(&entry.undef, object.undef + offset, part);
    log_.add(entry);
    offset += part;
    count -= part;
  }
}

void Memory::undo(const LogEntry& entry) {
  Object& object = objects_[entry.id];
  switch (entry.kind) {
    case LogEntry::Kind::Bytes:
      std::memcpy(object.data + entry.offset, &entry.data, entry.size);
      std::memcpy(object.undef + entry.offset, &entry.undef, entry.size);
      return;
    case LogEntry::Kind::Allocate: {
      live_bytes_ -= object.size;
      if (object.kind == ObjectKind::Stack) {
        stacks_[object.owner].pop_back();
      } else if (Arena* arena = arena_of(object.base); arena != nullptr) {
        arena->entries.pop_back();
        arena->next = arena->entries.empty()
                          ? (arena == &arenas_.back() ? common_base_ : heap_base_ + object.owner * arena_size_) + gap
                          : objects_[arena->entries.back().id].base + objects_[arena->entries.back().id].size + gap;
      }
      drop_storage(object);
      object.is_alive = false;
      free_ids_.push_back(entry.id);
      return;
    }
    case LogEntry::Kind::Free:
      object.is_alive = true;
      live_bytes_ += object.size;
      if (object.kind == ObjectKind::Stack) stacks_[object.owner].push_back({object.base, entry.id});
      return;
    case LogEntry::Kind::Share: object.is_shared = false; return;
    case LogEntry::Kind::HasSync: object.has_sync = false; return;
    default: HEDDLE_CHECK(false, "not an entry of the memory");
  }
}

void Memory::drop_freed() {
  for (const LogEntry& entry : log_.since(0)) {
    if (entry.kind != LogEntry::Kind::Free) continue;
    Object& object = objects_[entry.id];
    drop_storage(object);
    if (object.kind == ObjectKind::Stack) free_ids_.push_back(entry.id);
  }
}

}  // namespace heddle::interpret
