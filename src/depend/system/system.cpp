// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/system.h"

#include <algorithm>

namespace heddle::depend {

bool System::can_interrupt(std::size_t a, std::size_t b) const { return bar(a, b) == Bar::None; }

bool System::on_one_scale(std::size_t a, std::size_t b) const {
  const SystemEntry &one = entries_[a], &other = entries_[b];
  if (!one.priority || !other.priority) return false;
  return one_scale_.value_or(one.is_ranked_by_hand && other.is_ranked_by_hand);
}

System::Bar System::bar(std::size_t a, std::size_t b) const {
  const SystemEntry &by = entries_[a], &of = entries_[b];
  if (by.kind == EntryKind::Init || of.kind == EntryKind::Init) return Bar::Init;
  if (a == b && !by.is_multiple) return Bar::Itself;
  if (of.starts_tasks && by.is_task()) return Bar::NotStarted;
  if (exclusions_.contains(std::minmax(a, b))) return Bar::Excluded;
  if (cores_ > 1) return Bar::None;
  if (above_.contains({a, b})) return Bar::None;
  if (above_.contains({b, a})) return Bar::Below;
  if (!of.preemptable && (of.is_interrupt() || by.is_task())) return Bar::NotPreemptable;
  if (by.is_interrupt() != of.is_interrupt() && !on_one_scale(a, b))
    return by.is_interrupt() ? Bar::None : Bar::InterruptByTask;
  return bar_by_priority(a, b);
}

System::Bar System::bar_by_priority(std::size_t a, std::size_t b) const {
  const SystemEntry &by = entries_[a], &of = entries_[b];
  if (by.priority && of.priority) {
    if (*by.priority == *of.priority) return equal_preempts_ ? Bar::None : Bar::SamePriority;
    return *by.priority > *of.priority ? Bar::None : Bar::LowerPriority;
  }
  if (by.is_interrupt()) return of.nests ? Bar::None : Bar::NoPriority;
  if (by.kind == EntryKind::Main && !by.priority) return Bar::Main;
  return Bar::None;
}

std::string System::why_not(std::size_t a, std::size_t b) const {
  const SystemEntry &by = entries_[a], &of = entries_[b];
  switch (bar(a, b)) {
    case Bar::None: return "";
    case Bar::Itself: return "one run of '" + names_[a] + "' ends before the next begins";
    case Bar::Init: return "'" + names_[of.kind == EntryKind::Init ? b : a] + "' runs before all others";
    case Bar::Excluded: return "reality rule: " + exclusions_.at(std::minmax(a, b));
    case Bar::InterruptByTask: return "a task does not interrupt an interrupt";
    case Bar::NotPreemptable: return "'" + names_[b] + "' is not preemptable";
    case Bar::NotStarted: return "'" + names_[b] + "' starts the scheduler; no task runs before";
    case Bar::Main: return "'" + names_[a] + "' has the lowest priority";
    case Bar::Below: return "'" + names_[b] + "' is above '" + names_[a] + "'";
    case Bar::LowerPriority:
      return "priority " + std::to_string(*by.priority) + " is lower than " + std::to_string(*of.priority);
    case Bar::SamePriority: return "same priority " + std::to_string(*by.priority);
    case Bar::NoPriority: return "interrupts without a priority do not interrupt each other";
  }
  return "";
}

bool System::keeps_out(const MaskStep& mask, std::size_t entry) const {
  if (cores_ > 1) return false;
  const SystemEntry& kept = entries_[entry];
  switch (mask.of) {
    case MaskStep::Of::Everything:
      if (!kept.is_interrupt() || mask.except.empty()) return true;
      return kept.number && std::ranges::find(mask.except, *kept.number) == mask.except.end();
    case MaskStep::Of::Interrupt: return kept.is_interrupt() && kept.number == mask.number;
    case MaskStep::Of::Tasks: return kept.is_task();
    case MaskStep::Of::Lock:  // until it wants the lock itself
    case MaskStep::Of::Unknown: return false;
  }
  return false;
}

bool System::starts_masked(FunctionId function) const {
  const std::string_view triple = program_->layout.triple;
  if (!triple.starts_with("avr") && !triple.starts_with("msp430") && !triple.starts_with("riscv")) return false;
  return std::ranges::any_of(entries_, [&](const SystemEntry& entry) {
    return entry.function == function && entry.kind == api::EntryKind::Main;
  });
}

bool System::enters_masked(FunctionId function) const {
  return starts_masked(function) || std::ranges::any_of(entries_, [&](const SystemEntry& entry) {
           return entry.function == function && entry.lets_in;
         });
}

}  // namespace heddle::depend
