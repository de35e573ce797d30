// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/assumed.h"

#include <algorithm>

namespace heddle::depend {
namespace {

class Assumptions {
 public:
  Assumptions(const std::vector<SystemEntry>& entries, const std::vector<std::string>& names,
              const api::SystemRules& rules)
      : entries_(entries), names_(names), rules_(rules) {}

  std::vector<std::string> run() {
    about_entries();
    if (!rules_.cores) add("one core ('cores' in [system])");
    if (rules_.cores.value_or(1) == 1) about_priorities();
    if (rules_.exclusions.empty()) add("all entries may run together: there are no reality rules ([[exclusion]])");
    if (rules_.redundant.empty()) add("no variables hold the same information ('redundant' in [system])");
    return std::move(out_);
  }

 private:
  void add(std::string what) { out_.push_back(std::move(what)); }

  /// The names of entries of which something is true: `'a', 'b' and 4 more`.
  template <class Test>
  [[nodiscard]] std::pair<std::size_t, std::string> those(const Test& is_it) const {
    constexpr std::size_t most = 4;
    std::size_t count = 0;
    std::string list;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (is_it(entries_[i]) && ++count <= most) list += (list.empty() ? "'" : ", '") + names_[i] + "'";
    if (count > most) list += " and " + std::to_string(count - most) + " more";
    return {count, list};
  }

  void about_entries() {
    const auto runs = those([](const SystemEntry& e) { return e.kind != EntryKind::Init; });
    if (runs.first < 2)
      add("nothing runs beside " + (runs.first == 0 ? "another" : runs.second) +
          ": no other task or interrupt was found; write [[entry]] tables (docs/depend.md)");
  }

  void about_priorities() {
    if (!rules_.equal_preempts)
      add("entries of equal priority do not preempt each other ('equal_priority' in [system])");
    const auto tasks =
        those([](const SystemEntry& e) { return e.is_task() && e.kind != EntryKind::Main && !e.priority; });
    const auto all_tasks = those([](const SystemEntry& e) { return e.is_task() && e.kind != EntryKind::Main; });
    if (tasks.first > 0 && all_tasks.first > 1)
      add("tasks without a priority may preempt other tasks, and be preempted by them: " + tasks.second);
    const auto mains = those([](const SystemEntry& e) { return e.kind == EntryKind::Main && !e.priority; });
    if (mains.first > 0 && all_tasks.first > 0) add(mains.second + " has a lower priority than all tasks");
    const auto interrupts = those([](const SystemEntry& e) { return e.is_interrupt() && !e.priority && !e.nests; });
    const auto all_interrupts = those([](const SystemEntry& e) { return e.is_interrupt(); });
    if (interrupts.first > 0 && all_interrupts.first > 1)
      add("interrupts without a priority neither interrupt others nor are interrupted: " + interrupts.second);
    about_scales();
  }

  /// Numbers that look as if tasks could keep interrupts out.
  void about_scales() {
    if (rules_.one_scale) return;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      for (std::size_t t = 0; t < entries_.size(); ++t) {
        const SystemEntry &isr = entries_[i], &task = entries_[t];
        if (!isr.is_interrupt() || !task.is_task() || !isr.priority || !task.priority) continue;
        if (*isr.priority > *task.priority || (isr.is_ranked_by_hand && task.is_ranked_by_hand)) continue;
        add("interrupts preempt tasks whatever their numbers: '" + names_[i] + "' (" + std::to_string(*isr.priority) +
            ") preempts '" + names_[t] + "' (" + std::to_string(*task.priority) + ") ('one_scale' in [system])");
        return;
      }
  }

  const std::vector<SystemEntry>& entries_;
  const std::vector<std::string>& names_;
  const api::SystemRules& rules_;
  std::vector<std::string> out_;
};

}  // namespace

std::vector<std::string> assumed(const std::vector<SystemEntry>& entries, const std::vector<std::string>& names,
                                 const api::SystemRules& rules) {
  return Assumptions(entries, names, rules).run();
}

}  // namespace heddle::depend
