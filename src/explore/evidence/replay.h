// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replay: runs a Schedule on the interpreter, plain accesses one by one, and looks at the state it ends in. A race is
// there when both threads can make their next step and those steps touch the same bytes, one of them writes, and not
// both are atomic or inside atomic sections (DETECTRACE of ATVA08). Nothing counts as a race before this function has
// said so. Deterministic: the same schedule gives the same answer.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "explore/evidence/schedule.h"
#include "explore/executor/adjacent.h"
#include "explore/executor/inputs.h"
#include "interpret/machine/machine.h"
#include "report/race_report.h"

namespace heddle::explore {

struct ReplayedRace {
  ReportAccess first;
  ReportAccess second;
  std::string variable;  ///< `counter`, `heap object of 8 bytes, byte 4`
  std::string value;     ///< what the bytes both touch hold now, as hexadecimal
  std::uint64_t context_switches = 0;
};

/// Errors: the program is another one, a step is not possible, or there is no race at the end.
Result<ReplayedRace> replay(const Program& program, const api::ApiModels& models, const Schedule& schedule);

/// What else a schedule can end in.
struct ReplayedEnding {
  std::string kind;  ///< "deadlock", "failed assertion", "abort", "crash", "misused lock"
  std::string what;  ///< "read of 4 bytes through a null pointer"
  std::string thread;
  std::vector<ReportFrame> stack;  ///< innermost first; of a deadlock: where each thread waits
};

/// The same for a schedule that ends in a failure or a deadlock.
Result<ReplayedEnding> replay_ending(const Program& program, const api::ApiModels& models, const Schedule& schedule);

/// In words; nothing if it is no failure (the program ended, an assumption is false, a limit was met).
std::optional<ReplayedEnding> ending_of(const Program& program, const interpret::Outcome& outcome);
std::optional<ReplayedEnding> ending_of(const Program& program, const interpret::Note& note);

/// A place of the program for a report.
ReportFrame frame_of(const Program& program, const interpret::StackEntry& entry);

/// A machine that stops at plain accesses too, and the words for what it shows; shared with the directed search.
class AccessMachine {
 public:
  AccessMachine(const Program& program, const api::ApiModels& models, interpret::Chooser& chooser,
                std::uint32_t max_threads);

  /// One step; false if the thread cannot make it.
  bool step(interpret::ThreadIndex thread);
  [[nodiscard]] interpret::Machine& machine() { return machine_; }
  /// What the thread's next step touches; empty if it is not enabled.
  std::vector<interpret::Touch> next_touches(interpret::ThreadIndex thread) {
    return explore::next_touches(machine_, thread);
  }
  /// The bytes on which the next steps of both race, or nothing (size 0).
  interpret::Touch racing_bytes(interpret::ThreadIndex a, interpret::ThreadIndex b) {
    return explore::racing_bytes(machine_, a, b);
  }
  [[nodiscard]] std::vector<std::string> locks_of(interpret::ThreadIndex thread) const;
  [[nodiscard]] ReportAccess describe(interpret::ThreadIndex thread, const interpret::Touch& bytes);
  [[nodiscard]] std::string name_of(interpret::Address address) const;
  /// `main`, `thread 2 (worker)`.
  [[nodiscard]] std::string thread_name(interpret::ThreadIndex thread) const;
  [[nodiscard]] std::string value_at(const interpret::Touch& bytes) const;
  /// The machine's number of the thread that `creator` made as its `ordinal`-th.
  [[nodiscard]] interpret::ThreadIndex child(interpret::ThreadIndex creator, std::uint32_t ordinal) const;

 private:
  const Program& program_;
  interpret::Machine machine_;
  std::vector<std::vector<interpret::ThreadIndex>> children_;
  std::vector<std::vector<interpret::Address>> held_;
};

}  // namespace heddle::explore
