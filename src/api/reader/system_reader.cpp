// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/system_reader.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "api/entry_words.h"
#include "api/reader/toml_values.h"

namespace heddle::api {
namespace {

constexpr std::string_view system_keys[] = {"atomic_bytes",
                                            "cores",
                                            "critical-section-begin",
                                            "critical-section-end",
                                            "cyclic-tasks",
                                            "entry-points",
                                            "equal_priority",
                                            "error_flags",
                                            "interrupts",
                                            "non-preemptable-tasks",
                                            "oil",
                                            "one_scale",
                                            "outputs",
                                            "preemptable-interrupts",
                                            "redundant",
                                            "routine-disable-interrupts",
                                            "routine-enable-interrupts",
                                            "scheduler_starts",
                                            "temporal-exclusions"};

class SystemReader {
 public:
  SystemReader(Messages& messages, SystemRules& out, std::vector<EntryRule>& entries)
      : values_("system", messages), out_(out), entries_(entries) {}

  void read(const toml::table& table) {
    for (auto&& [key, node] : table)
      if (!read_own(key.str(), node) && !read_entries(key.str(), node) && !read_polyspace(key.str(), node))
        values_.unknown_key(key, system_keys);
    join_sections(table);
    join_routines(table);
  }

 private:
  bool read_own(std::string_view key, const toml::node& node) {
    if (key == "cores")
      read_count(key, node, out_.cores);
    else if (key == "atomic_bytes")
      read_count(key, node, out_.atomic_bytes);
    else if (key == "equal_priority")
      read_equal_priority(node);
    else if (key == "one_scale")
      values_.flag(key, node, out_.one_scale);
    else if (key == "redundant")
      read_groups(key, node);
    else if (key == "outputs")
      values_.placed_names(key, node, out_.outputs);
    else if (key == "error_flags")
      values_.placed_names(key, node, out_.error_flags);
    else if (key == "scheduler_starts")
      values_.names(key, node, out_.scheduler_starts);
    else if (key == "oil")
      read_oil(node);
    else
      return false;
    return true;
  }

  void read_count(std::string_view key, const toml::node& node, std::optional<int>& out) {
    constexpr std::int64_t most_counted = 1024;
    std::optional<std::int64_t> count;
    values_.number(key, node, count);
    if (!count) return;
    if (*count < 1 || *count > most_counted)
      values_.fail(node.source(), "'" + std::string(key) + "' in system must lie between 1 and " +
                                      std::to_string(most_counted) + ", found " + std::to_string(*count));
    out = static_cast<int>(*count);
  }

  void read_equal_priority(const toml::node& node) {
    const auto* text = node.as_string();
    const std::string word = text == nullptr ? "" : text->get();
    if (word != "never" && word != "preempts")
      values_.fail(node.source(),
                   "'equal_priority' in system must be \"never\" or \"preempts\", found " + describe(node));
    out_.equal_preempts = word == "preempts";
  }

  void read_oil(const toml::node& node) {
    values_.text("oil", node, out_.oil);
    out_.oil_place = values_.place(node.source());
  }

  void read_groups(std::string_view key, const toml::node& node) {
    const auto* list = node.as_array();
    if (list == nullptr || list->empty())
      return values_.fail(node.source(), "'redundant' in system must be a list of groups: [[\"a\", \"b\"], …], found " +
                                             describe(node));
    for (const toml::node& group : *list) {
      std::vector<PlacedName> names;
      values_.placed_names(key, group, names);
      if (names.size() < 2)
        values_.fail(group.source(), "a group in 'redundant' needs two variables or more: [[\"a\", \"b\"], …]");
      out_.redundant.push_back(std::move(names));
    }
  }

  /// Lists of entries, in Polyspace's words.
  bool read_entries(std::string_view key, const toml::node& node) {
    EntryTraits traits;
    if (key == "entry-points")
      traits.kind = EntryKind::Task;
    else if (key == "cyclic-tasks")
      traits.kind = EntryKind::Cyclic;
    else if (key == "interrupts")
      traits.kind = EntryKind::Interrupt;
    else if (key == "non-preemptable-tasks")  // a task that other lists may call cyclic
      traits.preemptable = false;
    else if (key == "preemptable-interrupts")
      traits.kind = EntryKind::Interrupt, traits.preemptable = true;
    else
      return false;
    std::vector<PlacedName> names;
    values_.placed_names(key, node, names);
    for (PlacedName& name : names) {
      EntryRule rule;
      rule.name = std::move(name.name);
      rule.context = context_of(traits.kind.value_or(EntryKind::Task));
      rule.traits = traits;
      rule.file = values_.file();
      rule.place = std::move(name.place);
      entries_.push_back(std::move(rule));
    }
    return true;
  }

  bool read_polyspace(std::string_view key, const toml::node& node) {
    if (key == "critical-section-begin")
      values_.placed_names(key, node, begins_);
    else if (key == "critical-section-end")
      values_.placed_names(key, node, ends_);
    else if (key == "routine-disable-interrupts")
      values_.names(key, node, disables_);
    else if (key == "routine-enable-interrupts")
      values_.names(key, node, enables_);
    else if (key == "temporal-exclusions")
      read_exclusions(node);
    else
      return false;
    return true;
  }

  /// `["a b", …]` as the lines of Polyspace's file, or `[["a", "b"], …]`.
  void read_exclusions(const toml::node& node) {
    const auto* list = node.as_array();
    const std::string form = "'temporal-exclusions' in system must be a list of groups: [[\"a\", \"b\"], …]";
    if (list == nullptr) return values_.fail(node.source(), form + ", found " + describe(node));
    for (const toml::node& group : *list) {
      ExclusionRule rule;
      rule.place = values_.place(group.source());
      rule.reason = "temporal-exclusions";
      if (const auto* line = group.as_string()) {
        std::istringstream words(line->get());
        for (std::string word; words >> word;) rule.entries.push_back(word);
      } else {
        values_.names("temporal-exclusions", group, rule.entries);
      }
      if (rule.entries.size() < 2) values_.fail(group.source(), form);
      out_.exclusions.push_back(std::move(rule));
    }
  }

  /// `begin:cs1` belongs to `end:cs1`, a name without a section to the others without one.
  void join_sections(const toml::table& table) {
    std::map<std::string, MaskRule> sections;
    const auto add = [&](const std::vector<PlacedName>& names, std::vector<std::string> MaskRule::* functions) {
      for (const PlacedName& name : names) {
        const std::size_t colon = name.name.find(':');
        const std::string section = colon == std::string::npos ? "" : name.name.substr(colon + 1);
        MaskRule& rule = sections[section];
        if (rule.place.empty()) rule.place = name.place;
        (rule.*functions).push_back(name.name.substr(0, colon));
      }
    };
    add(begins_, &MaskRule::disable);
    add(ends_, &MaskRule::restore);
    for (auto& [name, rule] : sections) {
      if (rule.disable.empty() || rule.restore.empty())
        values_.fail(table.source(), "the critical section '" + name +
                                         "' in system needs both 'critical-section-begin' and 'critical-section-end'");
      rule.of = MaskRule::Of::Section;
      rule.name = name;
      rule.file = values_.file();
      out_.masks.push_back(std::move(rule));
    }
  }

  void join_routines(const toml::table& table) {
    if (disables_.empty() && enables_.empty()) return;
    if (disables_.empty() || enables_.empty())
      values_.fail(table.source(),
                   "system needs both 'routine-disable-interrupts' and 'routine-enable-interrupts', or neither");
    MaskRule rule;
    rule.disable = disables_;
    rule.enable = enables_;
    rule.file = values_.file();
    rule.place = values_.place(table.source());
    out_.masks.push_back(std::move(rule));
  }

  TomlValues values_;
  SystemRules& out_;
  std::vector<EntryRule>& entries_;
  std::vector<PlacedName> begins_, ends_;
  std::vector<std::string> disables_, enables_;
};

/// A rule that is complete, or a message.
void add_mask(MaskRule rule, const toml::table& table, TomlValues& values, SystemRules& out, std::string_view what) {
  if (rule.disable.empty() || (rule.enable.empty() && rule.restore.empty()))
    values.fail(table.source(), std::string(what));
  rule.file = values.file();
  rule.place = values.place(table.source());
  if (!values.failed()) out.masks.push_back(std::move(rule));
}

void read_mask_of(const toml::node& node, TomlValues& values, MaskRule& rule) {
  const auto* text = node.as_string();
  const std::string word = text == nullptr ? "" : text->get();
  if (word != "interrupts" && word != "tasks")
    values.fail(node.source(), "'of' in a mask must be \"interrupts\" or \"tasks\", found " + describe(node));
  rule.of = word == "tasks" ? MaskRule::Of::Tasks : MaskRule::Of::Interrupts;
}

}  // namespace

void read_system(const toml::table& table, Messages& messages, SystemRules& out, std::vector<EntryRule>& entries) {
  out.is_said = true;
  SystemReader(messages, out, entries).read(table);
}

void read_mask(const toml::table& table, Messages& messages, SystemRules& out) {
  constexpr std::string_view known[] = {"all", "argument", "disable", "enable", "of", "offset", "restore"};
  constexpr std::int64_t most_arguments = 255;
  TomlValues values("a mask", messages);
  MaskRule rule;
  std::optional<std::int64_t> argument, offset;
  for (auto&& [key, node] : table) {
    if (key.str() == "disable")
      values.names(key.str(), node, rule.disable);
    else if (key.str() == "enable")
      values.names(key.str(), node, rule.enable);
    else if (key.str() == "restore")
      values.names(key.str(), node, rule.restore);
    else if (key.str() == "argument")
      values.number(key.str(), node, argument);
    else if (key.str() == "offset")
      values.number(key.str(), node, offset);
    else if (key.str() == "all")
      values.number(key.str(), node, rule.all);
    else if (key.str() == "of")
      read_mask_of(node, values, rule);
    else
      values.unknown_key(key, known);
  }
  if (argument && (*argument < 0 || *argument > most_arguments))
    values.fail(table.source(), "'argument' in a mask must lie between 0 and 255, found " + std::to_string(*argument));
  if (argument) rule.argument = static_cast<int>(*argument);
  rule.offset = offset.value_or(0);
  if ((rule.all || offset) && !argument)
    values.fail(table.source(), "'all' and 'offset' in a mask need 'argument': which argument has this value");
  if (argument && rule.of == MaskRule::Of::Tasks)
    values.fail(table.source(), "'argument' in a mask names an interrupt; leave it out for a mask of tasks");
  add_mask(std::move(rule), table, values, out, "a mask needs 'disable', and 'enable' or 'restore'");
}

void read_critical_section(const toml::table& table, Messages& messages, SystemRules& out) {
  constexpr std::string_view known[] = {"begin", "end", "name"};
  TomlValues values("a critical section", messages);
  MaskRule rule;
  rule.of = MaskRule::Of::Section;
  for (auto&& [key, node] : table) {
    if (key.str() == "begin")
      values.names(key.str(), node, rule.disable);
    else if (key.str() == "end")
      values.names(key.str(), node, rule.restore);
    else if (key.str() == "name")
      values.text(key.str(), node, rule.name);
    else
      values.unknown_key(key, known);
  }
  add_mask(std::move(rule), table, values, out, "a critical section needs 'begin' and 'end'");
}

void read_exclusion(const toml::table& table, Messages& messages, SystemRules& out) {
  constexpr std::string_view known[] = {"entries", "reason"};
  TomlValues values("an exclusion", messages);
  ExclusionRule rule;
  for (auto&& [key, node] : table) {
    if (key.str() == "entries")
      values.names(key.str(), node, rule.entries);
    else if (key.str() == "reason")
      values.text(key.str(), node, rule.reason);
    else
      values.unknown_key(key, known);
  }
  rule.place = values.place(table.source());
  if (rule.entries.size() < 2 && !values.failed())
    values.fail(table.source(), "an exclusion needs 'entries' with two entries or more that never run together");
  if (rule.reason.empty() && !values.failed())
    values.fail(table.source(), "an exclusion needs a 'reason': why these entries never run together, for the report");
  if (!values.failed()) out.exclusions.push_back(std::move(rule));
}

}  // namespace heddle::api
