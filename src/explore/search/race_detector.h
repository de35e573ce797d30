// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector clocks over what a Machine did: the first pair of conflicting accesses that nothing orders.
//
//   T1: x = 1; unlock(m)      T2: lock(m); x = 2      ordered by m: no race
//   T1: x = 1; unlock(m)      T2: x = 2; lock(m)      a race, in whatever order this run did it
//
// Order comes from creation and joining, from acquire and release of synchronisation objects, from atomic accesses to
// the same bytes (sequentially consistent; two reads do not order each other) and from atomic sections that touch the
// same bytes. An atomic access conflicts with a plain one; an access inside a section conflicts with one outside;
// volatile is plain. Two pairs are neither called a race nor order: a plain access inside a section against an atomic
// one outside (the profile of verification programs and C11 disagree), and the end of memory against the use of a lock
// in it. They are remembered as unclear. With a Program, atomics order only as far as the memory orders written there
// say (release and acquire of C11, release sequences; no fences): a run under sequential consistency is one the weaker
// rules allow too, so a race it shows is one of the program. The accesses of a run up to its first race are the same in
// every order that respects happens-before, which is what makes the reported pair reachable at once. Last writes and
// reads are kept as epochs (FastTrack), byte by byte.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/search/dependence.h"
#include "interpret/code/operation.h"
#include "program/model/program.h"

namespace heddle::explore {

/// One side of a race: the access, and the step of the run it belongs to.
struct DetectedAccess {
  interpret::Event event;
  std::uint32_t step = 0;
  bool in_section = false;
};

struct DetectedRace {
  DetectedAccess first;
  DetectedAccess second;
};

class RaceDetector {
 public:
  /// `orders`: the program whose memory orders count; null: all atomics are sequentially consistent.
  explicit RaceDetector(const Program* orders = nullptr) : orders_(orders) {}

  /// Follows one step of the machine. The first race ends the detector's work.
  void follow(std::uint32_t step, std::span<const interpret::Event> events);

  [[nodiscard]] const std::optional<DetectedRace>& race() const { return race_; }
  /// A pair was met about which nothing should be claimed; empty: none.
  [[nodiscard]] const std::string& unclear() const { return unclear_; }
  /// About how much memory it has taken: with many threads or much data that is what limits a run.
  [[nodiscard]] std::uint64_t bytes() const;
  /// Of a thread now.
  [[nodiscard]] const Clock& clock(interpret::ThreadIndex thread);

 private:
  struct Record {
    interpret::Event event;
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
  struct SharedLock {
    Clock exclusive, shared;
    Clock uses;  ///< per thread: epoch of its last use
  };

  std::size_t follow_handle(std::span<const interpret::Event> rest, const interpret::Event& spawn);
  void follow_event(const interpret::Event& event);
  void access(const interpret::Event& event, bool writes, bool is_atomic);
  void check_byte(Cell& cell, const interpret::Event& event, bool writes, bool is_atomic, std::uint32_t& record);
  [[nodiscard]] bool conflicts(const Access& earlier, const interpret::Event& event, bool is_atomic) const;
  void check_unclear(const interpret::Event& event, bool writes, bool is_atomic);
  void check_locks_in(const interpret::Event& freed);
  void use_lock(const interpret::Event& event);
  void report(const Access& earlier, const interpret::Event& event);
  void synchronise(const interpret::Event& event, bool writes);
  void publish(const interpret::Event& event, bool writes);
  void publish_by_order(const interpret::Event& event);
  void end_section(interpret::ThreadIndex thread);
  [[nodiscard]] const Instruction* instruction_of(const interpret::Event& event) const;
  void start(interpret::ThreadIndex thread);
  void tick(interpret::ThreadIndex thread);
  [[nodiscard]] bool ordered(const Access& earlier, interpret::ThreadIndex thread);

  const Program* orders_;
  std::vector<Clock> threads_;
  std::map<interpret::Address, SharedLock> locks_;
  std::map<std::pair<interpret::Address, std::uint64_t>, SyncCell> sync_;  ///< by address and size
  std::uint64_t largest_sync_ = 1;
  std::unordered_map<interpret::Address, std::vector<Cell>> shadow_;  ///< by page of bytes
  std::vector<Record> records_;
  std::vector<interpret::Event> section_;  ///< accesses of the section that runs
  std::map<interpret::ThreadIndex, Clock> ended_;
  bool in_section_ = false;
  std::uint32_t step_ = 0;
  std::optional<DetectedRace> race_;
  std::string unclear_;
};

/// The accesses of a section of the step in which the program ended, for a detector: they were made, and nothing comes
/// behind them. Empty if the step ended elsewhere.
std::vector<interpret::Event> unfinished_section(std::span<const interpret::Event> step, interpret::ThreadIndex thread);

}  // namespace heddle::explore
