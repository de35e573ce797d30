// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/system/system_of_scan.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "alias/global_places.h"
#include "api/entry_words.h"
#include "depend/access/numbers.h"
#include "depend/risk/openings.h"
#include "depend/system/status_register.h"

namespace heddle::pipeline {
namespace {

using depend::MaskStep;
using race::Separation;
using race::SeparationReason;
using scan::EntryPoint;

depend::Point point_of(const EntryPoint& at) { return {at.function, at.instruction}; }

/// For people.
std::string mask_text(const MaskStep& mask) {
  const std::string name(mask.section);
  if (mask.is_section) return "it is in a critical section" + (name.empty() ? name : " '" + name + "'");
  if (!name.empty()) return "interrupts were not let in yet";
  switch (mask.of) {
    case MaskStep::Of::Everything: return "all interrupts are masked";
    case MaskStep::Of::Interrupt: return "interrupt " + std::to_string(mask.number) + " is masked";
    case MaskStep::Of::Tasks: return "the scheduler stands still";
    case MaskStep::Of::Lock:
    case MaskStep::Of::Unknown: return "it is masked";
  }
  return "";
}

depend::CallGraph::Reached reached_in(const scan::ReachedCalls& calls) {
  return [&calls](FunctionId caller, std::size_t instruction) {
    std::vector<FunctionId> out;
    const auto& all = calls.of[caller.index()];
    for (const auto& call : std::ranges::equal_range(all, instruction, {}, &scan::ReachedCalls::Call::instruction))
      if (std::ranges::find(out, call.callee) == out.end()) out.push_back(call.callee);
    return out;
  };
}

class SystemPreemption : public scan::Preemption {
 public:
  SystemPreemption(const Program& program, const depend::System& system, const scan::ReachedCalls& calls)
      : program_(program),
        system_(system),
        trusts_paths_(calls.trusts_paths),
        calls_(program, reached_in(calls)),
        places_(program, alias::GlobalPlaces::Callers::AreSeen),
        numbers_(program, calls_),
        locks_(program, system.models(), places_, numbers_),
        openings_(program, system, calls_, reached_, locks_),
        is_late_(program.functions.size()) {
    for (std::size_t i = 0; i < system.entries().size(); ++i) {
      entries_[system.entries()[i].function].push_back(i);
      reached_.push_back(calls_.reached_from(system.entries()[i].function));
    }
    for (const FunctionId late : calls.late) {
      const std::vector<bool> behind = calls_.reached_from(late);
      for (std::size_t f = 0; f < behind.size(); ++f) is_late_[f] = is_late_[f] || behind[f];
    }
  }

  std::optional<std::string> why_in_turn(FunctionId a, FunctionId b) override {
    const auto &first = entries_of(a), &second = entries_of(b);
    if (first.empty() || second.empty()) return std::nullopt;
    for (const std::size_t i : first)
      for (const std::size_t k : second)
        if (comes(i, k) || comes(k, i)) return std::nullopt;
    return in_turn_text(first.front(), second.front());
  }

  std::optional<Separation> why_apart(const EntryPoint& a, const EntryPoint& b) override {
    const auto &first = entries_of(a.entry), &second = entries_of(b.entry);
    if (first.empty() || second.empty()) return std::nullopt;
    if (is_own(a) && is_own(b))
      return Separation{SeparationReason::OtherObject, "each entry has its own status register and stack pointer"};
    Separation found{SeparationReason::InTurn, in_turn_text(first.front(), second.front())};
    for (const std::size_t i : first)
      for (const std::size_t k : second) {
        const std::optional<MaskStep> keeps_k = keeps_out(i, k, a), keeps_i = keeps_out(k, i, b);
        const bool k_comes = comes(k, i) && !keeps_k, i_comes = comes(i, k) && !keeps_i;
        if ((k_comes || i_comes) && !share_a_lock(i, a, k, b)) return std::nullopt;
        if (k_comes || i_comes)
          found = {SeparationReason::CommonLock, ""};
        else if (comes(k, i))
          found = {SeparationReason::Masked, masked_text(k, i, *keeps_k)};
        else if (comes(i, k))
          found = {SeparationReason::Masked, masked_text(i, k, *keeps_i)};
      }
    return found;
  }

  std::string why_together(const EntryPoint& a, const EntryPoint& b) override {
    for (const std::size_t i : entries_of(a.entry))
      for (const std::size_t k : entries_of(b.entry)) {
        const bool k_comes = comes(k, i) && !keeps_out(i, k, a);
        if (!k_comes && (!comes(i, k) || keeps_out(k, i, b))) continue;
        const std::size_t who = k_comes ? k : i, whom = k_comes ? i : k;
        if (i == k) return "several runs of " + named(i) + " may be under way";
        if (system_.cores() > 1) return named(i) + " and " + named(k) + " may run on different cores";
        return named(who) + " can interrupt " + named(whom) + " there";
      }
    return {};
  }

 private:
  [[nodiscard]] const std::vector<std::size_t>& entries_of(FunctionId function) const {
    static const std::vector<std::size_t> none;
    const auto found = entries_.find(function);
    return found == entries_.end() ? none : found->second;
  }

  /// `a` can come while `b` runs, if nothing masks it.
  [[nodiscard]] bool comes(std::size_t a, std::size_t b) const { return system_.can_interrupt(a, b); }

  /// `'isr' (interrupt, priority 2)`
  [[nodiscard]] std::string named(std::size_t entry) const {
    const depend::SystemEntry& one = system_.entries()[entry];
    return "'" + system_.name(entry) + "' (" + std::string(api::to_text(one.kind)) +
           (one.priority ? ", priority " + std::to_string(*one.priority) : "") + ")";
  }

  [[nodiscard]] std::string in_turn_text(std::size_t a, std::size_t b) const {
    const std::string one = system_.why_not(a, b), other = system_.why_not(b, a);
    if (a == b) return one;
    return "'" + system_.name(a) + "' and '" + system_.name(b) + "' cannot interrupt each other: " + one +
           (one == other ? "" : "; " + other);
  }

  [[nodiscard]] std::string masked_text(std::size_t who, std::size_t whom, const MaskStep& mask) const {
    return "'" + system_.name(who) + "' cannot interrupt '" + system_.name(whom) + "' there: " + mask_text(mask);
  }

  /// The mask in force at a point of `entry` that keeps `other` out.
  std::optional<MaskStep> keeps_out(std::size_t entry, std::size_t other, const EntryPoint& at) {
    if (is_late_[at.function.index()] || !comes(other, entry)) return std::nullopt;
    const auto [known, is_new] = keeps_out_.try_emplace({entry, other, at.function, at.instruction});
    if (is_new) known->second = openings_.keeps_out(entry, other, point_of(at));
    return known->second;
  }

  /// Locks that are named by numbers or handles, and critical sections of several cores; the scan has the others.
  bool share_a_lock(std::size_t i, const EntryPoint& a, std::size_t k, const EntryPoint& b) {
    if (is_late_[a.function.index()] || is_late_[b.function.index()]) return false;
    const depend::Masks of_a = openings_.in_force(i, point_of(a)), of_b = openings_.in_force(k, point_of(b));
    return std::ranges::any_of(of_a, [&](const MaskStep& mask) {
      const bool is_lock = mask.of == MaskStep::Of::Lock ? trusts_paths_ : mask.is_section && system_.cores() > 1;
      return is_lock &&
             std::ranges::any_of(of_b, [&](const MaskStep& other) { return depend::is_same_mask(mask, other); });
    });
  }

  /// It touches what every entry has for itself.
  [[nodiscard]] bool is_own(const EntryPoint& at) const {
    const Function& function = program_.functions[at.function];
    const Instruction& code = function.instructions[at.instruction];
    if (code.opcode != Opcode::Load && code.opcode != Opcode::Store) return false;
    const Operand address = function.operands_of(code)[code.opcode == Opcode::Load ? 0 : 1];
    return address.is_global() && depend::is_processor_state(program_, program_.globals[address.as_global()]);
  }

  const Program& program_;
  const depend::System& system_;
  const bool trusts_paths_;
  depend::CallGraph calls_;
  std::vector<std::vector<bool>> reached_;  ///< by entry and function
  alias::GlobalPlaces places_;
  depend::Numbers numbers_;
  depend::LockSteps locks_;
  depend::Openings openings_;
  std::vector<bool> is_late_;  ///< by function: it may run behind the end of an entry, with other masks
  std::map<FunctionId, std::vector<std::size_t>> entries_;
  std::map<std::tuple<std::size_t, std::size_t, FunctionId, std::uint32_t>, std::optional<MaskStep>> keeps_out_;
};

bool is_main(const Program& program, const depend::SystemEntry& entry) {
  return entry.function == program.find_function("main");
}

}  // namespace

scan::SystemFacts system_of_scan(const Program& program, const depend::System& system) {
  scan::SystemFacts out;
  for (const depend::SystemEntry& entry : system.entries()) {
    const bool is_constructor = std::ranges::find(program.constructors, entry.function) != program.constructors.end();
    if (is_main(program, entry) || (is_constructor && entry.kind == api::EntryKind::Init)) continue;
    out.entries.push_back({.function = entry.function, .context = api::context_of(entry.kind), .reason = entry.found});
  }
  out.has_one_core = system.cores() == 1;
  out.make = [&](const scan::ReachedCalls& calls) -> std::unique_ptr<scan::Preemption> {
    return std::make_unique<SystemPreemption>(program, system, calls);
  };
  return out;
}

}  // namespace heddle::pipeline
