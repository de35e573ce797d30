// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/entry_reader.h"

#include <array>

#include "api/entry_words.h"
#include "api/reader/effect_schema.h"
#include "api/reader/toml_values.h"

namespace heddle::api {
namespace {

using Kind = EntryRule::Kind;

constexpr auto entry_kinds = std::to_array<std::pair<std::string_view, Kind>>({
    {"function", Kind::Function},
    {"member_of", Kind::Member},
    {"global", Kind::Global},
    {"uncalled", Kind::Uncalled},
    {"vector_table", Kind::VectorTable},
    {"vector_section", Kind::VectorSection},
});

constexpr std::string_view known_keys[] = {"above",         "context",   "function",        "global",   "kind",
                                           "lower_first",   "member_of", "members",         "number",   "preemptable",
                                           "number_member", "priority",  "priority_member", "uncalled", "vector_table",
                                           "vector_section"};

constexpr std::string_view known_names = "'function', 'member_of', 'global', 'uncalled' and 'vector_table'";

/// A name, or one with a '*' at either end.
bool is_pattern(const toml::value<std::string>* text) {
  if (text == nullptr || text->get().empty() || text->get() == "**") return false;
  const std::size_t star = text->get().find('*', 1);
  return star == std::string::npos || (star + 1 == text->get().size() && text->get()[0] != '*');
}

class EntryReader {
 public:
  explicit EntryReader(Messages& messages) : values_("an entry", messages) {}

  std::optional<EntryRule> read(const toml::table& table) {
    rule_.file = values_.file();
    rule_.place = values_.place(table.source());
    for (auto&& [key, node] : table)
      if (!read_name(key.str(), node) && !read_how(key.str(), node) && !read_more(key.str(), node))
        values_.unknown_key(key, known_keys);
    check(table);
    if (values_.failed()) return std::nullopt;
    return std::move(rule_);
  }

 private:
  static std::string known_contexts() {
    std::string text;
    for (int i = 0; i <= static_cast<int>(EntryContext::Exit); ++i)
      text += (text.empty() ? "" : ", ") + std::string(to_text(static_cast<EntryContext>(i)));
    return text;
  }

  /// True if the key is one that names what the entry is.
  bool read_name(std::string_view key, const toml::node& node) {
    for (const auto& [word, kind] : entry_kinds) {
      if (word != key) continue;
      if (has_name_)
        values_.fail(node.source(), "an entry has one of " + std::string(known_names) + "; write two entries");
      has_name_ = true;
      rule_.kind = kind;
      if (is_pattern(node.as_string()))
        rule_.name = node.as_string()->get();
      else
        values_.fail(node.source(),
                     "'" + std::string(key) + "' in an entry must be a name, or the beginning of one and a '*'");
      return true;
    }
    return false;
  }

  /// How it runs.
  bool read_how(std::string_view key, const toml::node& node) {
    if (key == "context")
      read_context(node);
    else if (key == "kind")
      read_kind(node);
    else if (key == "number")
      values_.number(key, node, rule_.traits.number);
    else if (key == "priority")
      values_.number(key, node, rule_.traits.priority);
    else if (key == "preemptable")
      values_.flag(key, node, rule_.traits.preemptable);
    else if (key == "above")
      values_.names(key, node, rule_.above);
    else
      return false;
    return true;
  }

  /// Of the struct that it lies in.
  bool read_more(std::string_view key, const toml::node& node) {
    if (key == "members")
      values_.names(key, node, rule_.members);
    else if (key == "priority_member")
      values_.text(key, node, rule_.priority_member);
    else if (key == "number_member")
      values_.text(key, node, rule_.number_member);
    else if (key == "lower_first")
      values_.flag(key, node, lower_first_);
    else
      return false;
    return true;
  }

  void read_context(const toml::node& node) {
    has_context_ = true;
    const auto* text = node.as_string();
    for (int i = 0; text != nullptr && i <= static_cast<int>(EntryContext::Exit); ++i) {
      if (to_text(static_cast<EntryContext>(i)) != text->get()) continue;
      rule_.context = static_cast<EntryContext>(i);
      return;
    }
    values_.fail(node.source(),
                 "'context' in an entry must be one of " + known_contexts() + ", found " + describe(node));
  }

  void read_kind(const toml::node& node) {
    const auto* text = node.as_string();
    rule_.traits.kind = text == nullptr ? std::nullopt : entry_kind(text->get());
    has_kind_ = true;
    if (!rule_.traits.kind)
      values_.fail(node.source(), "'kind' in an entry must be one of " + known_kinds() + ", found " + describe(node));
  }

  void check(const toml::table& table) {
    if (!has_name_) values_.fail(table.source(), "an entry needs one of " + std::string(known_names));
    if (!has_context_ && !has_kind_)
      values_.fail(table.source(),
                   "an entry needs a 'kind' (" + known_kinds() + ") or a 'context' (" + known_contexts() + ")");
    if (rule_.kind != Kind::Member &&
        !(rule_.members.empty() && rule_.priority_member.empty() && rule_.number_member.empty() && !lower_first_))
      values_.fail(table.source(),
                   "'members', 'priority_member', 'number_member' and 'lower_first' in an entry go with 'member_of' "
                   "only");
    rule_.lower_first = lower_first_.value_or(false);
    if (!rule_.traits.kind) return;
    if (!has_context_)
      rule_.context = context_of(*rule_.traits.kind);
    else if (!values_.failed() && !agree(*rule_.traits.kind, rule_.context))
      values_.fail(table.source(), disagreement());
  }

  [[nodiscard]] std::string disagreement() const {
    const std::string kind(to_text(*rule_.traits.kind)), context(to_text(rule_.context));
    return "kind '" + kind + "' and context '" + context + "' of the entry contradict each other: '" + kind +
           "' is context '" + std::string(to_text(context_of(*rule_.traits.kind))) + "', context '" + context +
           "' is kind '" + std::string(to_text(kind_of(rule_.context))) + "'; leave one out";
  }

  TomlValues values_;
  EntryRule rule_;
  std::optional<bool> lower_first_;
  bool has_name_ = false, has_context_ = false, has_kind_ = false;
};

}  // namespace

std::optional<EntryRule> read_entry_rule(const toml::table& table, Messages& messages) {
  return EntryReader(messages).read(table);
}

}  // namespace heddle::api
