// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <functional>

#include "depend/system/assumed.h"
#include "depend/system/find_entries.h"
#include "depend/system/member_place.h"
#include "depend/system/near_text.h"
#include "depend/system/system.h"
#include "threads/outside_entries.h"

namespace heddle::depend {

/// Bytes that the processor reads or writes at once.
int width_of(const DataLayout& layout) {
  if (layout.triple.starts_with("avr")) return 1;
  if (layout.triple.starts_with("msp430")) return 2;
  return static_cast<int>(layout.pointer_bits / 8);
}

class SystemBuilder {
 public:
  SystemBuilder(const Program& program, const api::ApiModels& models, const OilSystem* oil)
      : program_(program), models_(models), oil_(oil), out_(program, models) {}

  Result<System> run() {
    const api::SystemRules& rules = models_.system();
    auto found = find_entries(program_, models_, oil_);
    if (!found) return std::unexpected(found.error());
    out_.entries_ = std::move(found->entries);
    name_entries();
    find_scheduler_starts();
    find_nesting();
    out_.cores_ = rules.cores.value_or(1);
    out_.atomic_bytes_ = static_cast<std::uint64_t>(rules.atomic_bytes.value_or(width_of(program_.layout)));
    out_.equal_preempts_ = rules.equal_preempts.value_or(false);
    out_.one_scale_ = rules.one_scale;
    for (const auto step : {&SystemBuilder::add_exclusions, &SystemBuilder::add_order, &SystemBuilder::add_variables})
      if (auto done = (this->*step)(); !done) return std::unexpected(done.error());
    out_.assumptions_ = assumed(out_.entries_, out_.names_, rules);
    assume_of_processor();
    std::ranges::move(found->notes, std::back_inserter(out_.assumptions_));
    note_unknown_masks();
    return std::move(out_);
  }

 private:
  /// As in the source; by the symbol where two functions share that name.
  void name_entries() {
    std::map<std::string_view, std::set<FunctionId>> owners;
    for (const SystemEntry& entry : out_.entries_)
      owners[program_.functions[entry.function].shown_name()].insert(entry.function);
    for (const SystemEntry& entry : out_.entries_) {
      const Function& f = program_.functions[entry.function];
      out_.names_.emplace_back(owners[f.shown_name()].size() == 1 ? f.shown_name() : f.name);
    }
  }

  /// The entries of a function, by its name.
  Result<std::vector<std::size_t>> entries_called(const std::string& name, const std::string& place,
                                                  const std::string& what) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < out_.entries_.size(); ++i)
      if (threads::is_called(name, program_.functions[out_.entries_[i].function])) found.push_back(i);
    if (!found.empty()) return found;
    return error(place + ": " + what + " names '" + name + "', which is no entry" +
                 near_text(name, {out_.names_.begin(), out_.names_.end()}));
  }

  Result<void> add_exclusions() {
    for (const api::ExclusionRule& rule : models_.system().exclusions)
      for (std::size_t i = 0; i < rule.entries.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
          if (auto done = exclude(rule, rule.entries[k], rule.entries[i]); !done) return done;
    return {};
  }

  Result<void> exclude(const api::ExclusionRule& rule, const std::string& one, const std::string& other) {
    if (one == other)
      return error(rule.place + ": the exclusion names '" + one +
                   "' twice, and an entry does not exclude itself; name another one");
    const auto first = entries_called(one, rule.place, "the exclusion");
    if (!first) return std::unexpected(first.error());
    const auto second = entries_called(other, rule.place, "the exclusion");
    if (!second) return std::unexpected(second.error());
    for (const std::size_t a : *first)
      for (const std::size_t b : *second) out_.exclusions_.try_emplace(std::minmax(a, b), rule.reason);
    return {};
  }

  /// `above`: pairs as they are written, then what follows from them.
  Result<void> add_order() {
    std::map<std::size_t, std::set<std::size_t>> below;
    for (const api::EntryRule& rule : models_.entries()) {
      for (const std::string& name : rule.above) {
        const auto lower = entries_called(name, rule.place, "'above'");
        if (!lower) return std::unexpected(lower.error());
        const auto upper = entries_called(rule.name, rule.place, "'above'");
        if (!upper) return std::unexpected(upper.error());
        for (const std::size_t a : *upper) below[a].insert(lower->begin(), lower->end());
        if (auto agreed = check_priorities(rule, *upper, *lower); !agreed) return agreed;
      }
    }
    for (const auto& [top, direct] : below)
      if (auto done = add_below(top, below); !done) return done;
    return {};
  }

  Result<void> check_priorities(const api::EntryRule& rule, const std::vector<std::size_t>& upper,
                                const std::vector<std::size_t>& lower) const {
    for (const std::size_t a : upper)
      for (const std::size_t b : lower) {
        const SystemEntry &high = out_.entries_[a], &low = out_.entries_[b];
        if (!high.priority || !low.priority || *high.priority > *low.priority) continue;
        if (high.is_interrupt() != low.is_interrupt() && !out_.on_one_scale(a, b)) continue;
        return error(rule.place + ": '" + out_.names_[a] + "' is above '" + out_.names_[b] + "', but its priority " +
                     std::to_string(*high.priority) + " is not higher than " + std::to_string(*low.priority) +
                     "; correct the priorities or leave 'above' out");
      }
    return {};
  }

  /// Everything below `top`; an entry below itself is a cycle.
  Result<void> add_below(std::size_t top, const std::map<std::size_t, std::set<std::size_t>>& below) {
    std::map<std::size_t, std::size_t> from;  // who led there
    std::vector<std::size_t> todo{top};
    while (!todo.empty()) {
      const std::size_t here = todo.back();
      todo.pop_back();
      const auto next = below.find(here);
      if (next == below.end()) continue;
      for (const std::size_t b : next->second) {
        if (b == top) return error(cycle_text(top, here, from));
        if (!from.try_emplace(b, here).second) continue;
        out_.above_.emplace(top, b);
        todo.push_back(b);
      }
    }
    return {};
  }

  [[nodiscard]] std::string cycle_text(std::size_t top, std::size_t last,
                                       const std::map<std::size_t, std::size_t>& from) const {
    std::string way = "'" + out_.names_[top] + "'";
    for (std::size_t at = last; at != top; at = from.at(at)) way.insert(0, "'" + out_.names_[at] + "' above ");
    return out_.entries_[top].place + ": the priorities form a cycle: '" + out_.names_[top] + "' above " + way +
           "; leave one of these 'above' out";
  }

  Result<void> add_variables() {
    const api::SystemRules& rules = models_.system();
    for (const auto& group : rules.redundant) {
      auto found = variables(group, "'redundant'");
      if (!found) return std::unexpected(found.error());
      out_.redundant_.push_back(std::move(*found));
    }
    auto outputs = variables(rules.outputs, "'outputs'");
    if (!outputs) return std::unexpected(outputs.error());
    out_.outputs_ = std::move(*outputs);
    auto flags = variables(rules.error_flags, "'error_flags'");
    if (!flags) return std::unexpected(flags.error());
    out_.error_flags_ = std::move(*flags);
    return {};
  }

  /// Every global of the name: statics of several units share one.
  Result<std::vector<NamedVariable>> variables(const std::vector<api::PlacedName>& names,
                                               const std::string& key) const {
    std::vector<NamedVariable> out;
    for (const api::PlacedName& written : names) {
      const std::size_t end = std::min(written.name.find_first_of(".[-"), written.name.size());
      const std::string root = written.name.substr(0, end);
      const std::size_t before = out.size();
      for (std::size_t i = 0; i < program_.globals.size(); ++i) {
        const Global& g = program_.globals[GlobalId(i)];
        if (g.name == written.name) {  // a static of a function: `f.count`
          out.push_back({GlobalId(i), written.name, ""});
        } else if (g.shown_name() == root || g.name.substr(0, g.name.find('@')) == root) {
          const auto part = member_place(program_, g.source_type, written.name.substr(end));
          if (!part && end < written.name.size() && g.source_type)
            return error(written.place + ": " + key + " names '" + written.name + "', and '" + root +
                         "' has no such part: write members and elements as in 'state.wheel[2].speed'");
          out.push_back({GlobalId(i), written.name, written.name.substr(end)});
          if (part && end < written.name.size()) {
            out.back().offset = part->offset;
            out.back().size = part->size;
          }
        }
      }
      if (out.size() > before) continue;
      std::set<std::string> known;
      for (const Global& g : program_.globals)
        if (!g.source_name.empty()) known.emplace(g.source_name);
      return error(written.place + ": " + key + " names '" + root + "', and there is no such variable" +
                   near_text(root, known));
    }
    return out;
  }

  enum class Met : std::uint8_t { Wanted, Other, OtherNotFollowed };
  /// Whether `from` may come to an instruction that `look(function, instruction)` says is wanted. `through_pointers`:
  /// calls through pointers lead to every function whose address is taken; else nowhere.
  template <class Look>
  [[nodiscard]] bool comes_to(FunctionId from, bool through_pointers, const Look& look) const {
    std::set<FunctionId> seen{from};
    std::vector<FunctionId> todo{from};
    const auto go_to = [&](FunctionId next) {
      if (seen.insert(next).second) todo.push_back(next);
    };
    while (!todo.empty()) {
      const Function& function = program_.functions[todo.back()];
      todo.pop_back();
      for (const Instruction& code : function.instructions) {
        const Met met = look(function, code);
        if (met == Met::Wanted) return true;
        if (!code.is_call() || met == Met::OtherNotFollowed) continue;
        const Operand callee = function.operands_of(code)[0];
        if (callee.is_function()) go_to(callee.as_function());
        for (std::size_t f = 0; !callee.is_function() && through_pointers && f < program_.functions.size(); ++f)
          if (program_.functions[FunctionId(f)].is_address_taken) go_to(FunctionId(f));
      }
    }
    return false;
  }

  void find_scheduler_starts() {
    std::set<FunctionId> starts;
    for (const std::string& name : models_.system().scheduler_starts)
      if (const FunctionId function = program_.find_function(name)) starts.insert(function);
    const auto is_start = [&](const Function& function, const Instruction& code) {
      const Operand callee = code.is_call() ? function.operands_of(code)[0] : Operand();
      return callee.is_function() && starts.contains(callee.as_function()) ? Met::Wanted : Met::Other;
    };
    for (SystemEntry& entry : out_.entries_)
      entry.starts_tasks = entry.kind == EntryKind::Main && comes_to(entry.function, false, is_start);
  }

  /// On Cortex-M there is no such flag: handlers begin with interrupts on, and priorities alone decide.
  void find_nesting() {
    if (program_.layout.triple.starts_with("thumb")) return;
    // Who restores the flag leaves it as it was.
    const auto sets_flag = [&](const Function& function, const Instruction& code) {
      const auto step = out_.mask_step(function, code);
      if (!step) return Met::Other;
      const bool may_be_flag =
          step->of == MaskStep::Of::Unknown || (step->of == MaskStep::Of::Everything && step->mask == 0);
      return step->step == MaskStep::Step::End && may_be_flag ? Met::Wanted : Met::OtherNotFollowed;
    };
    for (SystemEntry& entry : out_.entries_) {
      if (!entry.is_interrupt() || entry.priority || !comes_to(entry.function, true, sets_flag)) continue;
      entry.lets_in = entry.nests = entry.is_multiple = true;
    }
  }

  void assume_of_processor() {
    const auto starts_masked = [&](const SystemEntry& entry) { return out_.starts_masked(entry.function); };
    if (std::ranges::any_of(out_.entries_, starts_masked))
      out_.assumptions_.emplace_back(
          "interrupts come only when main has let them in, if it ever does: before that it initialises");
    if (program_.layout.triple.starts_with("avr"))
      out_.assumptions_.emplace_back(
          "one bit of a device register below 0x40 is set or cleared by one instruction, as compilers that optimise do "
          "it (AVR)");
  }

  /// A mask that is misspelt protects nothing, silently; but a heddle.toml may serve several programs.
  void note_unknown_masks() {
    std::set<std::string> known;
    for (const Function& f : program_.functions) known.emplace(f.shown_name());
    for (const api::MaskRule& rule : models_.system().masks) {
      if (rule.file.starts_with("models/")) continue;
      for (const auto* names : {&rule.disable, &rule.enable, &rule.restore})
        for (const std::string& name : *names)
          if (!known.contains(name))
            out_.assumptions_.push_back(rule.place + ": the program has no function '" + name + "' that would mask" +
                                        near_text(name, known));
    }
  }

  const Program& program_;
  const api::ApiModels& models_;
  const OilSystem* oil_;
  System out_;
};

Result<System> System::make(const Program& program, const api::ApiModels& models, const OilSystem* oil) {
  return SystemBuilder(program, models, oil).run();
}

}  // namespace heddle::depend
