// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/effect.h"
#include "program/model/program.h"

namespace heddle::depend {

using api::EntryKind;

/// A function that the machine, the operating system or a timer starts. One function may be several entries: a task
/// that is created twice, with two priorities.
struct SystemEntry {
  FunctionId function = {};
  EntryKind kind = EntryKind::Task;
  std::optional<std::int64_t> number = {};    ///< of its interrupt
  std::optional<std::int64_t> priority = {};  ///< a higher one wins
  bool is_ranked_by_hand = false;             ///< heddle.toml says the priority
  bool preemptable = true;
  bool nests = false;         ///< an interrupt of which it is said that others interrupt it, whatever their priorities
  bool lets_in = false;       ///< a handler that sets the flag which the processor cleared for it
  bool starts_tasks = false;  ///< main, which ends by starting the scheduler: no task runs before
  bool is_multiple = false;   ///< several runs of it may be under way: created several times, called by anybody
  std::string found = {};  ///< `heddle.toml:3:1`, `vector table 'vectors' [15]`, `call of 'xTaskCreate' at main.c:31:3`
  std::string place = {};  ///< of the rule in heddle.toml or of the object in an OIL file; empty: the code alone

  [[nodiscard]] bool is_interrupt() const { return kind == EntryKind::Interrupt; }
  /// Main, a task or a cyclic task.
  [[nodiscard]] bool is_task() const { return kind != EntryKind::Interrupt && kind != EntryKind::Init; }
};

}  // namespace heddle::depend
