// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector clocks over the deeds of an execution: the first pair of conflicting accesses that nothing orders.
//
//   T1: x = 1; unlock(m)      T2: lock(m); x = 2      ordered by m: no race
//   T1: x = 1; unlock(m)      T2: x = 2; lock(m)      a race, in whatever order this run did it
//
// What orders. Creation and joining of threads; acquire and release of synchronisation objects; atomic accesses to the
// same bytes (sequentially consistent; two reads do not order each other); atomic sections that touch the same bytes.
//
// `MemoryOrders::AsWritten` lets atomics and fences order only as far as the memory orders written in the program say
// (atomic_orders.h). A run under sequential consistency is one that the weaker rules allow too, so a pair that nothing
// orders in it is a data race of the program, also where no interleaving brings both threads there at once. Since no
// replay of such a state stands behind it, this mode takes for order whatever could be one: two uses of one lock,
// condition or semaphore whatever they did, calls into the library that may lock inside (DeedKind::Uses).
// `MemoryOrders::Guaranteed` is the opposite, for proofs: only what surely orders does.
//
// What conflicts. Two accesses of different threads to the same byte, one of which writes. An atomic access conflicts
// with a plain one; an access inside a section conflicts with one outside; volatile is plain; the end of memory is a
// write of all of it. An operation on a lock is an atomic access to its bytes, its set-up and destruction are plain
// writes (Deed::is_use). Two pairs are neither called a race nor order: a plain access inside a section against an
// atomic one outside (the profile of verification programs and C11 disagree), and the end of memory against the use of
// a lock in it whose size nobody says. They are remembered as unclear, and no proof is made of such a program. So is a
// pair of which a library call may be one side and need not (Deed::is_certain).
//
// Why the first race and no other: the accesses of a run up to its first race are the same in every order that respects
// happens-before, which is what makes the reported pair reachable at once (evidence/confirm.h drives it there). Behind
// it the values read may depend on the order of the racing accesses.
//
// Cost: last writes and reads are kept as epochs (FastTrack), in pages made on the first access, each in cells as large
// as the accesses to it allow (byte by byte at worst, one for all of a block that is only copied as a whole); a deed
// that synchronises joins clocks, which costs the number of threads. A use of a lock looks at the lock's bytes only if
// they were accessed plainly since the thread's last use; plain accesses look for locks only where a page has some.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/clocks/atomic_orders.h"
#include "explore/clocks/clock.h"
#include "explore/executor/deed.h"
#include "explore/watch/pair_watch.h"

namespace heddle::explore {

/// One side of a race: the access, and the step of the run it belongs to.
struct DetectedAccess {
  Deed deed;
  std::uint32_t step = 0;
  bool in_section = false;
};

struct DetectedRace {
  DetectedAccess first;
  DetectedAccess second;
};

class RaceDetector {
 public:
  /// `only`: every other pair is passed over.
  explicit RaceDetector(MemoryOrders orders = MemoryOrders::SequentiallyConsistent,
                        const std::optional<AccessPair>& only = {})
      : orders_(orders), only_(only), atomics_(orders == MemoryOrders::Guaranteed) {}

  /// Instead of ending with the first race, tells the watch of each pair, and of each access.
  void watch(PairWatch* watch) { watch_ = watch; }
  /// Pairs are passed over whose second access comes before this step.
  void look_from(std::uint32_t step) { first_step_ = step; }

  /// Pairs of these accesses are passed over, too.
  void pass_over(std::vector<AccessPair> known) { known_ = std::move(known); }

  /// Follows one step. The first race ends the detector's work.
  void follow(std::uint32_t step, std::span<const Deed> deeds);

  [[nodiscard]] const std::optional<DetectedRace>& race() const { return race_; }
  /// A pair was met about which nothing should be claimed; empty: none.
  [[nodiscard]] const std::string& unclear() const { return unclear_; }
  /// About how much memory it has taken: with many threads or much data that is what limits a run.
  [[nodiscard]] std::uint64_t bytes() const;
  /// Of a thread now.
  [[nodiscard]] const Clock& clock(ThreadIndex thread);

 private:
  struct Record {
    Deed deed;
    std::uint32_t step;
    bool in_section;
  };
  struct Access {
    std::uint32_t thread = 0, epoch = 0, record = 0;
  };
  struct Cell {
    Access write;               ///< epoch 0: none
    std::vector<Access> reads;  ///< one for each thread since the last write it saw
  };
  struct SyncCell {
    Clock writes, reads;
  };
  struct Use {
    std::uint32_t epoch = 0;  ///< 0: none
    std::uint32_t checked = 0;
    DetectedAccess access;
  };
  struct SharedLock {
    Clock exclusive, shared;
    std::vector<Use> uses;        ///< of each thread, the last
    std::uint64_t size = 0;       ///< 0: nobody says
    std::uint32_t disturbed = 1;  ///< by plain accesses to its bytes; Use::checked: those that come before the use
  };
  /// 64 bytes. Its cells are as coarse as the accesses so far let them be: a cell stands for bytes that every access
  /// has touched together.
  struct Page {
    std::vector<Cell> cells;
    std::uint32_t bytes = 64;  ///< of a cell; a power of two
    std::uint64_t locks = 0;   ///< bit by byte: belongs to a lock of known size

    void make_finer(std::uint32_t wanted);
    Cell& at(std::uint64_t address) { return cells[address % 64 / bytes]; }
  };

  /// The page that was asked for last; a copy of the detector has others.
  struct LastPage {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
    LastPage() = default;
    LastPage(const LastPage&) {}
    LastPage& operator=(const LastPage&) {
      number = ~std::uint64_t{0};
      return *this;
    }
  };

  /// Where the handle of a new thread was written, and the creator's first moment behind that.
  struct Handle {
    std::uint64_t size = 0;
    Access written;
  };

  void follow_deed(const Deed& deed);
  void follow_order(const Deed& deed);
  std::size_t follow_creation(std::span<const Deed> deeds);
  void check_handles(const Deed& deed);
  void access(const Deed& deed, bool writes, bool is_atomic);
  void touch_object(const Deed& deed);
  void mark_lock(const Deed& deed, SharedLock& lock);
  void check_uses(const Deed& deed);
  [[nodiscard]] Page& page_of(std::uint64_t at);
  void check_bytes(const Deed& deed, bool writes, bool is_atomic);
  struct Part {
    std::uint64_t at = 0;
    std::uint32_t bytes = 0;
  };
  void check_cell(const Part& part, Cell& cell, const Deed& deed, bool writes, bool is_atomic, std::uint32_t& record);
  [[nodiscard]] bool conflicts(const Access& earlier, const Deed& deed, bool is_atomic) const;
  [[nodiscard]] bool races(const Access& earlier, const Deed& deed, bool is_atomic);
  [[nodiscard]] bool is_looked_for(AccessKey a, AccessKey b) const {
    return step_ >= first_step_ && (!only_ || only_->is(a, b)) &&
           std::ranges::none_of(known_, [&](const AccessPair& pair) { return pair.is(a, b); });
  }
  void check_unclear(const Deed& deed, bool writes, bool is_atomic);
  void check_locks_in(const Deed& freed);
  void use_lock(const Deed& deed);
  bool report(const Access& earlier, const Deed& deed);
  bool report(const DetectedAccess& earlier, const Deed& deed);
  void synchronise(const Deed& deed, bool writes);
  void publish(const Deed& deed, bool writes);
  void use(const Deed& deed);
  void give(const Deed& deed, Clock& to);
  void end_section(ThreadIndex thread);
  void start(ThreadIndex thread);
  void tick(ThreadIndex thread);
  [[nodiscard]] bool ordered(const Access& earlier, ThreadIndex thread);
  [[nodiscard]] bool ordered(const Access& earlier, const Deed& deed);
  [[nodiscard]] bool follows_orders() const { return orders_ != MemoryOrders::SequentiallyConsistent; }
  /// Whatever may order does.
  [[nodiscard]] bool is_lenient() const { return orders_ == MemoryOrders::AsWritten; }
  [[nodiscard]] const Access* unordered_write(const Deed& deed, std::uint64_t at, bool is_atomic);

  MemoryOrders orders_;
  std::optional<AccessPair> only_;
  std::vector<AccessPair> known_;
  PairWatch* watch_ = nullptr;
  AtomicOrders atomics_;
  std::vector<Clock> threads_;
  std::map<std::uint64_t, SharedLock> locks_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, SyncCell> sync_;  ///< by address and size
  std::uint64_t largest_sync_ = 1;
  std::unordered_map<std::uint64_t, Page> shadow_;  ///< by page of bytes
  LastPage last_;
  std::uint64_t largest_lock_ = 0;
  /// Atomic writes that a later atomic write did not come behind, by byte: there are any only where orders count.
  std::unordered_map<std::uint64_t, std::vector<Access>> unordered_writes_;
  std::vector<Record> records_;
  std::vector<Deed> section_;  ///< accesses of the section that runs
  std::map<ThreadIndex, Clock> ended_;
  std::map<std::uint64_t, Handle> handles_;  ///< by address
  bool in_section_ = false;
  std::uint32_t step_ = 0;
  std::uint32_t first_step_ = 0;
  std::optional<DetectedRace> race_;
  std::string unclear_;
};

}  // namespace heddle::explore
