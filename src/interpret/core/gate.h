// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads stop. A visible operation (a lock, a spawn, an atomic access, with switch_at_accesses a plain access to
// shared memory) is carried out only as the first thing of a step that the scheduler granted; whoever comes to a second
// one stops before it, and the thread then remembers what it is about to do.
//
//   step of thread 1:    lock(m)   x = 1   y = 2   unlock(m)
//                        granted                   not granted: stops here, stands before Unlock m
//
// Each operation asks `admit` before it changes anything. True: carry it out. False: return to the hot loop, which
// leaves the step; the instruction is run again from its beginning when the thread gets its next step.
//
// Three exceptions. A thread that is alone goes on without stopping, but for an input: nobody could tell. Inside an
// atomic section nothing stops; an operation that cannot be carried out there throws SectionFailed. In a rehearsal
// everything is admitted: all of it is taken back.
#pragma once
#include "interpret/core/enabling.h"

namespace heddle::interpret {

/// Thrown inside a section that cannot run now.
struct SectionFailed {
  OpKind blocked = OpKind::None;
  Address object = 0;
};

class Gate {
 public:
  Gate(const MachineOptions& options, Memory& memory, Threads& threads, const SyncTable& syncs,
       const Enabling& enabling)
      : options_(options), memory_(memory), threads_(threads), syncs_(syncs), enabling_(enabling) {}

  /// Whether the running thread may carry out this operation now; false: it stands before it.
  bool admit(OpKind op, Address object, Address lock = 0);
  /// The same for an atomic access, which touches `size` bytes.
  bool admit_atomic(OpKind op, Address address, std::uint32_t size);
  /// True: the running thread stands before this plain access.
  bool stop_before_access(const Slot& pointer, std::uint64_t size, bool is_write);
  /// The running thread stands before these accesses of a native call: writes, then reads.
  void stop_before_touches(OpKind op, std::span<const TouchedBytes> touches);

  /// Nobody else can feel what the running thread does.
  [[nodiscard]] bool is_alone() const { return options_.stop_alone ? threads_.size() < 2 : threads_.live() < 2; }
  [[nodiscard]] bool is_granted() const { return is_granted_; }
  void grant(bool on) { is_granted_ = on; }
  [[nodiscard]] bool in_section() const { return section_depth_ > 0; }
  std::uint32_t enter_section() { return ++section_depth_; }
  std::uint32_t leave_section() { return --section_depth_; }
  void leave_all_sections() { section_depth_ = 0; }
  void set_rehearsal(bool on) { is_rehearsal_ = on; }

 private:
  [[nodiscard]] bool is_nested(OpKind op, Address object) const;

  const MachineOptions& options_;
  Memory& memory_;
  Threads& threads_;
  const SyncTable& syncs_;
  const Enabling& enabling_;
  bool is_granted_ = false;
  bool is_rehearsal_ = false;
  std::uint32_t section_depth_ = 0;
};

}  // namespace heddle::interpret
