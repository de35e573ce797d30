// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deed: one thing that a step did, as far as the order between threads or a race can depend on it: an access to memory,
// a lock taken or released, a thread created or joined. The deeds of a step stand in the order in which they were done.
//
//   pthread_mutex_lock(&m); x++;        Acquire m (is_lock), Read x, Write x
//   pthread_create(&h, 0, f, 0);        Spawn 2, Write h
//
// An executor fills them, vector clocks follow them (search/race_detector.h). They name no instruction: an access
// carries an AccessKey, a number whose meaning only the executor knows and whose words it finds on request.
#pragma once
#include <cstdint>

namespace heddle::explore {

using ThreadIndex = std::uint32_t;
inline constexpr ThreadIndex no_thread = ~ThreadIndex{0};

/// Which access of the program it is: the same in every execution, and in every executor of one program.
using AccessKey = std::uint64_t;
inline constexpr AccessKey no_access = ~AccessKey{0};

/// Two accesses of the program, in no order.
struct AccessPair {
  AccessKey first = no_access;
  AccessKey second = no_access;
  [[nodiscard]] bool has(AccessKey a) const { return a == first || a == second; }
  [[nodiscard]] bool is(AccessKey a, AccessKey b) const {
    return (a == first && b == second) || (a == second && b == first);
  }
};

enum class DeedKind : std::uint8_t {
  Read,
  Write,  ///< plain access
  AtomicRead,
  AtomicWrite,  ///< an update is a read, then a write
  Free,         ///< the whole object is gone: conflicts with every access to it
  Acquire,
  Release,  ///< of the synchronisation object at `address`
  AcquireShared,
  ReleaseShared,  ///< as a reader: orders against writers only
  Spawn,
  Join,  ///< `address` is the other thread's number
  SectionBegin,
  SectionEnd,
  ThreadEnd,
  SectionFailed,  ///< the section made the accesses before this, and then stopped for good at a false assumption
  SyncReset,      ///< the synchronisation object at `address` is initialised or destroyed
  Fence,          ///< orders atomic accesses of its thread; `acquires`, `releases`
  Uses,           ///< an operation on the synchronisation object at `address`, or in library code (library_object),
                  ///< that may order more than the other deeds say: a failed try, the lock inside a stream
  Asks,           ///< stands before an operation on the object: from now on it may look at it, which orders nothing
};

/// What orders accesses. A pair without order in the second sense is a race; a run without such a pair in the third
/// sense has none.
enum class MemoryOrders : std::uint8_t {
  SequentiallyConsistent,  ///< atomics order everything
  AsWritten,               ///< what their memory orders say; where that is not certain, they order
  Guaranteed,              ///< what their memory orders say; where that is not certain, they do not
};

/// The object of Uses that stands for all library code.
inline constexpr std::uint64_t library_object = ~std::uint64_t{0};

struct Deed {
  DeedKind kind = DeedKind::Read;
  bool is_lock = false;    ///< Acquire, Release: a lock that is held in between (not a condition, semaphore, …)
  bool is_certain = true;  ///< false: a library call that may touch so much, and need not
  bool is_use = false;     ///< of a synchronisation object: an access to its bytes too (else `size` only says how many)
  // Atomic accesses and fences: what the memory order written there promises.
  bool acquires = true;
  bool releases = true;
  bool consumes = false;  ///< a read that orders what depends on the value it got, and nothing else
  bool depends = true;    ///< the access may depend on a value that was consumed
  ThreadIndex thread = 0;
  std::uint32_t size = 0;
  bool replaces = true;  ///< ends what earlier releases to these bytes gave: a store does, an update does not
  std::uint64_t address = 0;
  AccessKey key = no_access;
};

/// Some memory.
struct Bytes {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  friend bool operator==(const Bytes&, const Bytes&) = default;
};

inline bool overlap(const Bytes& a, const Bytes& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

/// An operation on a synchronisation object.
inline bool uses_object(DeedKind kind) {
  switch (kind) {
    case DeedKind::Acquire:
    case DeedKind::AcquireShared:
    case DeedKind::Release:
    case DeedKind::ReleaseShared:
    case DeedKind::Uses:
    case DeedKind::Asks: return true;
    default: return false;
  }
}

inline bool is_atomic(DeedKind kind) { return kind == DeedKind::AtomicRead || kind == DeedKind::AtomicWrite; }
inline bool only_reads(DeedKind kind) { return kind == DeedKind::Read || kind == DeedKind::AtomicRead; }

}  // namespace heddle::explore
