// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/setting.h"

#include <algorithm>

#include "interpret/library/repeatable.h"

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

Setting::Setting(const Program& p, const api::ApiModels& m, const System& s, const alias::AliasFacts& aliases)
    : program(p),
      models(m),
      system(s),
      calls(p, aliases),
      accesses(p, aliases),
      relevance(p, m, calls, accesses),
      inputs(p, calls, accesses, relevance),
      live(p, relevance),
      loops(p, calls) {
  find_uses();
  find_related();
  find_devices();
  find_order();
}

void Setting::find_uses() {
  const std::size_t count = system.entries().size(), variables = program.globals.size();
  for (const SystemEntry& entry : system.entries()) {
    const std::vector<bool> reached = calls.reached_from(entry.function);
    Uses uses{std::vector<bool>(variables), std::vector<bool>(variables), may_end_masks(reached)};
    for (const auto& [variable, all] : accesses.all())
      for (const Access& access : all) {
        if (!reached[access.function.index()]) continue;
        if (access.reads) uses.reads[variable.index()] = true;
        if (access.writes) uses.writes[variable.index()] = true;
      }
    used_.push_back(std::move(uses));
  }
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

bool Setting::may_end_masks(const std::vector<bool>& reached) const {
  for (std::size_t f = 0; f < reached.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (const Instruction& code : function.instructions) {
      if (!reached[f] || !code.is_call()) continue;
      const auto step = system.mask_step(function, code);
      if (step && step->step != MaskStep::Step::Begin) return true;
    }
  }
  return false;
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

void Setting::find_devices() {
  for (std::size_t g = 0; g < program.globals.size(); ++g) {
    const Global& global = program.globals[GlobalId(g)];
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
