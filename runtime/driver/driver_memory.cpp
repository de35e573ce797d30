// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's own memory. It lives in the process of the program under test, whose memory is put back again and again,
// and must neither be put back with it nor change the addresses that the program gets.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

#include "runtime/driver/driver_memory.h"

namespace heddle::explore {
namespace {

constexpr std::size_t header = 16, smallest = 32, classes = 48;
constexpr std::size_t room = std::size_t{1} << 36;  // address space; pages are taken when they are touched

struct Arena {
  char* next = nullptr;
  char* end = nullptr;
  void* free[classes] = {};
};
constinit Arena arena;
constinit void* (*reserve)(std::size_t) = nullptr;
alignas(16) constinit char before_start[1 << 16] = {};  // for what is made while the driver is loaded

/// Powers of two: the class of a block is the logarithm of its size.
unsigned class_of(std::size_t size) {
  return static_cast<unsigned>(std::bit_width((size < smallest ? smallest : size) - 1));
}

void* allocate(std::size_t size) {
  const unsigned kind = class_of(size);
  if (kind >= classes) throw std::bad_alloc();
  if (void* const block = arena.free[kind]) {
    arena.free[kind] = *static_cast<void**>(block);
    return block;
  }
  if (arena.next == nullptr) {
    arena.next = before_start;
    arena.end = before_start + sizeof before_start;
  }
  const std::size_t whole = (std::size_t{1} << kind) + header;
  if (static_cast<std::size_t>(arena.end - arena.next) < whole) {
    if (reserve == nullptr) throw std::bad_alloc();
    if (arena.end != before_start + sizeof before_start) throw std::bad_alloc();
    arena.next = static_cast<char*>(reserve(room));
    arena.end = arena.next + room;
  }
  char* const block = arena.next + header;
  arena.next += whole;
  *reinterpret_cast<std::uint64_t*>(block - header) = kind;
  return block;
}

void release(void* block) {
  if (block == nullptr) return;
  const std::uint64_t kind = *reinterpret_cast<std::uint64_t*>(static_cast<char*>(block) - header);
  *static_cast<void**>(block) = arena.free[kind];
  arena.free[kind] = block;
}

}  // namespace

void set_up_driver_memory(void* (*from)(std::size_t)) { reserve = from; }

}  // namespace heddle::explore

void* operator new(std::size_t size) { return heddle::explore::allocate(size); }
void* operator new[](std::size_t size) { return heddle::explore::allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return heddle::explore::allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return heddle::explore::allocate(size); }
void operator delete(void* block) noexcept { heddle::explore::release(block); }
void operator delete[](void* block) noexcept { heddle::explore::release(block); }
void operator delete(void* block, std::size_t) noexcept { heddle::explore::release(block); }
void operator delete[](void* block, std::size_t) noexcept { heddle::explore::release(block); }
