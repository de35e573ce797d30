// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a project says about the machine that its entries run on: `[system]`, `[[mask]]`, `[[critical_section]]` and
// `[[exclusion]]` of heddle.toml. Names are as they were written; src/depend/system/ looks them up in a program.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::api {

/// Functions that keep entries from running, and those that let them run again.
struct MaskRule {
  enum class Of : std::uint8_t {
    Interrupts,  ///< one interrupt, by its number, or all; while all are masked nothing preempts the caller
    Tasks,       ///< the scheduler stands still, interrupts come
    Section,     ///< a critical section: nothing preempts it, and on several cores one of its name runs at a time
  };
  Of of = Of::Interrupts;
  std::vector<std::string> disable;
  std::vector<std::string> enable;   ///< from then on nothing is masked by this rule
  std::vector<std::string> restore;  ///< ends the last `disable` only: what was masked before it stays masked
  std::optional<int> argument;       ///< the argument that names the interrupt; none: all
  std::optional<std::int64_t> all;   ///< the value of that argument that means all
  std::int64_t offset = 0;           ///< other values plus this are numbers of interrupts
  std::string name;                  ///< Section
  std::string file, place;
};

/// Entries of which at most one runs at a time, for a reason that is not in the code.
struct ExclusionRule {
  std::vector<std::string> entries;
  std::string reason;
  std::string place;
};

/// A name that has to exist in the program.
struct PlacedName {
  std::string name;
  std::string place;
};

struct SystemRules {
  bool is_said = false;  ///< the project has a table [system]
  std::optional<int> cores;
  std::optional<int> atomic_bytes;     ///< the widest access that the processor makes at once
  std::optional<bool> equal_preempts;  ///< entries of equal priority preempt each other
  std::optional<bool> one_scale;       ///< priorities of interrupts and of tasks are compared with each other
  std::vector<std::vector<PlacedName>> redundant;
  std::vector<PlacedName> outputs;
  std::vector<PlacedName> error_flags;
  std::vector<std::string> scheduler_starts;  ///< calls that do not return: tasks run from then on
  std::vector<MaskRule> masks;
  std::vector<ExclusionRule> exclusions;
  std::string oil;        ///< path of an OSEK OIL file, as it was written
  std::string oil_place;  ///< where
};

}  // namespace heddle::api
