// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A system of tasks and interrupts: who runs, who can interrupt whom, what masks do, which variables are one piece of
// information. Made of a Program, of what heddle.toml says (docs/depend.md) and of an OSEK OIL file.
//
//   [[entry]]                       [[entry]]                       system.can_interrupt(isr, task)    true
//   function = "isr"                function = "task"               system.can_interrupt(task, isr)    false
//   kind = "interrupt"              kind = "task"                   system.why_not(task, isr)
//   priority = 2                    priority = 1                      "a task does not interrupt an interrupt"
//
// On one core `a` interrupts `b` if both can run together, `b` lets itself be interrupted, and
//   - `a` is an interrupt and `b` a task, and their priorities are not on one scale, or
//   - `a` has the higher priority, or the same where the platform says so.
// Priorities that heddle.toml gives are on one scale; those that an operating system or an OIL file gives to tasks are
// another one than those of interrupts.
// Where priorities are missing: main is below all tasks; other tasks may preempt each other, since an operating system
// orders them in a way that is not known; interrupts do not nest, as on most machines as long as nobody sets their
// priorities, unless one is said to be preemptable, or sets the processor's flag itself. On several cores everybody
// runs beside everybody. Init entries run before all others.
//
// What was assumed because nobody said it is in `assumptions()`. Cost: linear in the program, then in the pairs that
// rules name; a question costs O(log rules).
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/models/api_models.h"
#include "base/result.h"
#include "depend/system/mask_table.h"
#include "depend/system/oil_reader.h"
#include "depend/system/system_entry.h"

namespace heddle::depend {

/// A variable as heddle.toml writes it: `speed`, `state.speed`, `buffer[2]`.
struct NamedVariable {
  GlobalId global;
  std::string name;                    ///< as it was written
  std::string path;                    ///< what stands behind the variable: `.speed`, `[2]`
  std::uint64_t offset = 0, size = 0;  ///< of that part; 0: all of it
};

class System {
 public:
  /// Errors are bad input, one line each with its place: an entry, a rule or a variable that does not exist, values
  /// that contradict each other. `program` and `models` have to outlive the System.
  static Result<System> make(const Program& program, const api::ApiModels& models, const OilSystem* oil = nullptr);

  [[nodiscard]] const std::vector<SystemEntry>& entries() const { return entries_; }
  [[nodiscard]] const std::string& name(std::size_t entry) const { return names_[entry]; }

  /// A run of `b` can be interrupted by a run of `a`: on one core as above; on several, `a` can run between any two
  /// steps of `b`.
  [[nodiscard]] bool can_interrupt(std::size_t a, std::size_t b) const;
  /// For messages: `same priority 3`, `reality rule: speed = 0 against speed > 100`; empty if it can.
  [[nodiscard]] std::string why_not(std::size_t a, std::size_t b) const;

  /// What a call or inline assembly does to who may preempt; nothing: it masks nothing.
  [[nodiscard]] std::optional<MaskStep> mask_step(const Function& function, const Instruction& instruction,
                                                  const MaskTable::Argument& running = {}) const {
    return masks_.step_of(*program_, function, instruction, running);
  }
  [[nodiscard]] std::optional<MaskStep> mask_step(FunctionId called) const {
    return masks_.step_of(program_->functions[called]);
  }
  /// It is main, and the processor starts with interrupts off: AVR, MSP430, RISC-V. (Cortex-M starts with them on.)
  [[nodiscard]] bool starts_masked(FunctionId function) const;
  /// Likewise, or a handler that lets interrupts in itself.
  [[nodiscard]] bool enters_masked(FunctionId function) const;
  /// While this step's mask holds in another entry, `entry` does not run. Never on several cores, where a mask is for
  /// the caller's core alone; there a critical section is a lock (MaskStep::is_section).
  [[nodiscard]] bool keeps_out(const MaskStep& mask, std::size_t entry) const;

  [[nodiscard]] const api::ApiModels& models() const { return *models_; }
  /// An access that is wider is made in several steps. By the target where heddle.toml does not say it.
  [[nodiscard]] std::uint64_t atomic_bytes() const { return atomic_bytes_; }
  [[nodiscard]] int cores() const { return cores_; }
  [[nodiscard]] const std::vector<std::vector<NamedVariable>>& redundant() const { return redundant_; }
  [[nodiscard]] const std::vector<NamedVariable>& outputs() const { return outputs_; }
  [[nodiscard]] const std::vector<NamedVariable>& error_flags() const { return error_flags_; }
  /// One sentence each: what is taken for granted because no input says it.
  [[nodiscard]] const std::vector<std::string>& assumptions() const { return assumptions_; }

 private:
  /// Why `a` does not interrupt `b`.
  enum class Bar : std::uint8_t {
    None,
    Itself,
    Init,
    Excluded,
    InterruptByTask,
    NotPreemptable,
    Main,
    NotStarted,
    Below,  ///< by 'above'
    LowerPriority,
    SamePriority,
    NoPriority,
  };

  System(const Program& program, const api::ApiModels& models)
      : program_(&program), models_(&models), masks_(program, models.system().masks) {}

  [[nodiscard]] Bar bar(std::size_t a, std::size_t b) const;
  /// Both have a priority, and the two can be compared.
  [[nodiscard]] bool on_one_scale(std::size_t a, std::size_t b) const;
  [[nodiscard]] Bar bar_by_priority(std::size_t a, std::size_t b) const;

  friend class SystemBuilder;

  const Program* program_;
  const api::ApiModels* models_;
  std::vector<SystemEntry> entries_;
  std::vector<std::string> names_;  ///< of entries, for messages
  int cores_ = 1;
  std::uint64_t atomic_bytes_ = 0;
  bool equal_preempts_ = false;
  std::optional<bool> one_scale_;                                          ///< not said: see above
  std::map<std::pair<std::size_t, std::size_t>, std::string> exclusions_;  ///< a < b -> reason
  std::set<std::pair<std::size_t, std::size_t>> above_;                    ///< transitive
  MaskTable masks_;
  std::vector<std::vector<NamedVariable>> redundant_;
  std::vector<NamedVariable> outputs_, error_flags_;
  std::vector<std::string> assumptions_;
};

}  // namespace heddle::depend
