// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a scan asks about a system of tasks and interrupts (docs/depend.md): who runs beside whom is then no matter of
// threads alone. The answers come from outside (pipeline/system/), since the stages that know them do not belong to the
// scan.
//
//   task (priority 1)            isr (priority 2)
//     cli(); x = 1; sei();         x++            apart: isr could interrupt the task, and is masked there
//     y = 1;                       y++            not apart: nothing keeps isr from coming at `y = 1`
//
// "Apart" has to be certain: an entry that the system does not know is never kept from anybody.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program/model/program.h"
#include "race/separation.h"
#include "threads/outside_entries.h"

namespace heddle::scan {

/// A point of a run of an entry.
struct EntryPoint {
  FunctionId entry;
  FunctionId function;
  std::uint32_t instruction = 0;
};

class Preemption {
 public:
  Preemption() = default;
  Preemption(const Preemption&) = delete;
  Preemption& operator=(const Preemption&) = delete;
  virtual ~Preemption() = default;

  /// Why neither of two entries interrupts the other, wherever they are; of one with itself: why it does not run twice
  /// at once. Nothing: one can.
  virtual std::optional<std::string> why_in_turn(FunctionId a, FunctionId b) = 0;
  /// Why the two points are never passed at the same time; nothing: they may be.
  virtual std::optional<race::Separation> why_apart(const EntryPoint& a, const EntryPoint& b) = 0;
  /// `'isr' can interrupt 'task' there`; for two that are not apart.
  virtual std::string why_together(const EntryPoint& a, const EntryPoint& b) = 0;
};

/// What the scan found out before it asks.
struct ReachedCalls {
  struct Call {
    std::uint32_t instruction = 0;
    FunctionId callee;
  };
  std::vector<std::vector<Call>> of;  ///< by function: what its calls may reach; sorted by instruction
  std::vector<FunctionId> late;       ///< they run at the end of an entry, wherever that is
  bool trusts_paths = true;           ///< assumption `stable-paths`
};

/// A system that the project describes, or that was asked for.
struct SystemFacts {
  std::vector<threads::OutsideEntry> entries;  ///< besides main and the constructors; there are no others
  bool has_one_core = true;
  std::function<std::unique_ptr<Preemption>(const ReachedCalls&)> make;
};

}  // namespace heddle::scan
