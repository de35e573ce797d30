// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/setting.h"

#include <algorithm>

#include "interpret/library/repeatable.h"
#include "program/model/device_register.h"

namespace heddle::depend {
namespace {

/// True if something was added.
bool add_bits(std::vector<bool>& to, const std::vector<bool>& from) {
  bool changed = false;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (from[i] && !to[i]) changed = to[i] = true;
  return changed;
}

}  // namespace

Setting::Setting(AccessFacts& known)
    : facts(known),
      touches(program, models, system, calls, accesses),
      loops(program, calls),
      focus_(std::make_unique<Focus>(*this, nullptr)) {
  find_order();
  find_uses();
  find_related();
  find_devices();
}

Setting::Focus::Focus(const Setting& setting, const std::set<GlobalId>* wanted)
    : relevance(setting.program, setting.models, setting.calls, setting.touches, wanted),
      inputs(setting.program, setting.calls, setting.accesses, relevance),
      live(setting.program, relevance) {}

void Setting::focus_on(const Triple& triple) {
  std::set<GlobalId> wanted{triple.first.variable, triple.between.variable, triple.second.variable};
  for (const std::vector<NamedVariable>& group : system.redundant()) {
    const auto is_wanted = [&](const NamedVariable& one) { return wanted.contains(one.global); };
    if (std::ranges::any_of(group, is_wanted))
      for (const NamedVariable& one : group) wanted.insert(one.global);
  }
  if (wanted == wanted_) return;
  wanted_ = std::move(wanted);
  focus_ = std::make_unique<Focus>(*this, &wanted_);
}

void Setting::find_uses() {
  const std::size_t count = system.entries().size(), variables = program.globals.size();
  for (const std::vector<bool>& reached : facts.reached) {
    Uses uses{std::vector<bool>(variables), std::vector<bool>(variables)};
    for (const auto& [variable, all] : accesses.all())
      for (const Access& access : all) {
        if (!reached[access.function.index()]) continue;
        if (access.reads) uses.reads[variable.index()] = true;
        if (access.writes) uses.writes[variable.index()] = true;
      }
    own_.push_back(std::move(uses));
    own_.back().has_locks = has_locks(own_.size() - 1);
  }
  find_mask_ends();
  used_ = own_;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t of = 0; of < count; ++of)
      for (std::size_t by = 0; by < count; ++by) {
        if (by == of || !system.can_interrupt(by, of)) continue;
        changed = add_bits(used_[of].reads, used_[by].reads) || changed;
        changed = add_bits(used_[of].writes, used_[by].writes) || changed;
        changed = changed || (used_[by].ends_masks && !used_[of].ends_masks);
        used_[of].ends_masks = used_[of].ends_masks || used_[by].ends_masks;
      }
  }
}

/// Masks that a run begins can be ended by one that has interrupted it.
void Setting::find_mask_ends() {
  std::vector<bool> begins;
  for (std::size_t e = 0; e < own_.size(); ++e) begins.push_back(has_step(e, true));
  for (std::size_t by = 0; by < own_.size(); ++by)
    for (std::size_t of = 0; of < own_.size() && has_step(by, false); ++of)
      own_[by].ends_masks = own_[by].ends_masks || (begins[of] && system.can_interrupt(by, of)) || !is_transitive_;
}

bool Setting::has_step(std::size_t entry, bool begins) const {
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (const Instruction& code : function.instructions) {
      if (!facts.reached[entry][f] || !code.is_call()) continue;
      const auto step = system.mask_step(function, code);
      if (step && (step->step == MaskStep::Step::Begin) == begins) return true;
    }
  }
  return false;
}

bool Setting::has_locks(std::size_t entry) const {
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (const Instruction& code : function.instructions) {
      if (!facts.reached[entry][f] || !code.is_call()) continue;
      const Operand callee = function.operands_of(code)[0];
      if (callee.is_function() && touches.locks.of(callee.as_function()) != nullptr) return true;
    }
  }
  return false;
}

/// The entry may make an access to the variable in the same line.
bool Setting::may_make(std::size_t entry, const Access& access) const {
  const auto found = accesses.all().find(access.variable);
  return found != accesses.all().end() && std::ranges::any_of(found->second, [&](const Access& one) {
           return facts.reached[entry][one.function.index()] && line_of(program, one) == line_of(program, access);
         });
}

std::vector<bool> Setting::taking_part(const Triple& triple) const {
  const std::size_t count = system.entries().size();
  std::vector<bool> part(count, !is_transitive_);
  for (std::size_t e = 0; e < count; ++e)
    part[e] = part[e] || system.entries()[e].kind == EntryKind::Init || own_[e].ends_masks ||
              triple.first.variable != triple.second.variable || may_make(e, triple.first) ||
              may_make(e, triple.between) || may_make(e, triple.second);
  const auto decides = [&](std::size_t writer, std::size_t reader) {
    for (std::size_t g = 0; g < program.globals.size(); ++g)
      if (own_[writer].writes[g] && own_[reader].reads[g] && relevance().matters(GlobalId(g))) return true;
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t writer = 0; writer < count; ++writer)
      for (std::size_t reader = 0; reader < count && !part[writer]; ++reader)
        if (part[reader] && (decides(writer, reader) || (own_[writer].has_locks && own_[reader].has_locks)))
          changed = part[writer] = true;
  }
  return part;
}

void Setting::find_related() {
  const auto conflict = [&](std::size_t a, std::size_t b) {
    if (used_[a].ends_masks || used_[b].ends_masks) return true;
    for (std::size_t g = 0; g < program.globals.size(); ++g)
      if ((used_[a].writes[g] && may_disturb(b, GlobalId(g), true)) || (used_[a].reads[g] && used_[b].writes[g]))
        return true;
    return false;
  };
  for (std::size_t e = 0; e < used_.size(); ++e) {
    related_.push_back(e);
    for (std::size_t other = 0; other < e; ++other) {
      if (related_[other] == related_[e] || !conflict(e, other)) continue;
      const std::size_t from = std::max(related_[e], related_[other]), to = std::min(related_[e], related_[other]);
      std::ranges::replace(related_, from, to);
    }
  }
}

bool Setting::is_written(GlobalId variable) const {
  const auto found = accesses.all().find(variable);
  return found != accesses.all().end() && std::ranges::any_of(found->second, &Access::writes);
}

GlobalId Setting::register_at(std::uint64_t address) const {
  const auto behind = registers_.upper_bound(address);
  if (behind == registers_.begin()) return {};
  const auto& [base, variable] = *std::prev(behind);
  return address - base < std::max<std::uint64_t>(program.globals[variable].size, 1) ? variable : GlobalId();
}

void Setting::find_devices() {
  for (std::size_t g = 0; g < program.globals.size(); ++g) {
    const Global& global = program.globals[GlobalId(g)];
    if (const auto address = device_address(global)) registers_.emplace(*address, GlobalId(g));
    const auto found = accesses.all().find(GlobalId(g));
    bool is_volatile = found != accesses.all().end() && global.relocations.empty();
    if (is_volatile)
      for (const Access& access : found->second) {
        const Instruction& code = program.functions[access.function].instructions[access.instruction];
        is_volatile = is_volatile && !access.writes && code.has_flag(Instruction::is_volatile);
      }
    devices_.push_back(is_volatile || (global.is_declaration() && !interpret::is_output_stream(global.name)));
  }
}

void Setting::find_order() {
  const std::size_t count = system.entries().size();
  for (std::size_t b = 0; b < count; ++b) {
    const Function& function = program.functions[system.entries()[b].function];
    const flow::Cfg& cfg = calls.cfg(system.entries()[b].function);
    endless_.push_back(std::ranges::none_of(cfg.order, [&](BlockId block) {
      const Block& code = function.blocks[block.index()];
      return function.instructions[code.first + code.count - 1].opcode == Opcode::Return;
    }));
    bool waits = false;
    for (std::size_t a = 0; a < count; ++a)
      waits = waits || (a != b && system.entries()[a].kind != EntryKind::Init && !system.can_interrupt(a, b));
    waited_for_.push_back(waits);
  }
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count && is_transitive_; ++b)
      for (std::size_t c = 0; a != b && c < count; ++c)
        if (c != a && c != b && system.can_interrupt(a, b) && system.can_interrupt(b, c) && !system.can_interrupt(a, c))
          is_transitive_ = false;
}

}  // namespace heddle::depend
