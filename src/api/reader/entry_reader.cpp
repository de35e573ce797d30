// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/entry_reader.h"

#include <array>

#include "api/reader/effect_schema.h"

namespace heddle::api {
namespace {

using Kind = EntryRule::Kind;

constexpr auto entry_kinds = std::to_array<std::pair<std::string_view, Kind>>({
    {"function", Kind::Function},
    {"member_of", Kind::Member},
    {"global", Kind::Global},
    {"uncalled", Kind::Uncalled},
});

class EntryReader {
 public:
  explicit EntryReader(Messages& messages) : messages_(messages) {}

  std::optional<EntryRule> read(const toml::table& table) {
    rule_.file = messages_.file();
    bool has_name = false;
    bool has_context = false;
    for (auto&& [key, node] : table) {
      if (key.str() == "context") {
        has_context = true;
        read_context(node);
      } else if (key.str() == "members") {
        read_members(node);
      } else if (!read_name(key.str(), node, has_name)) {
        fail(key.source(), "unknown key '" + std::string(key.str()) +
                               "' in an entry (known: context, function, global, member_of, members, uncalled)");
      }
    }
    if (!has_name) fail(table.source(), "an entry needs one of 'function', 'member_of', 'global' and 'uncalled'");
    if (!has_context) fail(table.source(), "an entry needs a 'context' (" + known_contexts() + ")");
    if (!rule_.members.empty() && rule_.kind != Kind::Member)
      fail(table.source(), "'members' in an entry goes with 'member_of' only");
    if (failed_) return std::nullopt;
    return std::move(rule_);
  }

 private:
  void fail(const toml::source_region& place, std::string what) {
    failed_ = true;
    messages_.add(place, std::move(what));
  }

  static std::string known_contexts() {
    std::string text;
    for (int i = 0; i <= static_cast<int>(EntryContext::Exit); ++i)
      text += (text.empty() ? "" : ", ") + std::string(to_text(static_cast<EntryContext>(i)));
    return text;
  }

  /// True if the key is one that names what the entry is.
  bool read_name(std::string_view key, const toml::node& node, bool& has_name) {
    for (const auto& [word, kind] : entry_kinds) {
      if (word != key) continue;
      if (has_name)
        fail(node.source(), "an entry has one of 'function', 'member_of', 'global' and 'uncalled'; write two entries");
      has_name = true;
      rule_.kind = kind;
      const auto* text = node.as_string();
      const std::size_t star = text == nullptr ? 0 : text->get().find('*');
      if (text == nullptr || text->get().empty() || (star != std::string::npos && star + 1 != text->get().size()))
        fail(node.source(), "'" + std::string(key) + "' in an entry must be a name, or the beginning of one and a '*'");
      else
        rule_.name = text->get();
      return true;
    }
    return false;
  }

  void read_context(const toml::node& node) {
    const auto* text = node.as_string();
    for (int i = 0; text != nullptr && i <= static_cast<int>(EntryContext::Exit); ++i) {
      if (to_text(static_cast<EntryContext>(i)) != text->get()) continue;
      rule_.context = static_cast<EntryContext>(i);
      return;
    }
    fail(node.source(), "'context' in an entry must be one of " + known_contexts() + ", found " + describe(node));
  }

  void read_members(const toml::node& node) {
    const auto* list = node.as_array();
    if (list == nullptr || list->empty())
      return fail(node.source(), "'members' in an entry must be a list that is not empty, found " + describe(node));
    for (const toml::node& entry : *list) {
      const auto* text = entry.as_string();
      if (text != nullptr && !text->get().empty())
        rule_.members.push_back(text->get());
      else
        fail(entry.source(), "a member in an entry must be a name, found " + describe(entry));
    }
  }

  Messages& messages_;
  EntryRule rule_;
  bool failed_ = false;
};

}  // namespace

std::optional<EntryRule> read_entry_rule(const toml::table& table, Messages& messages) {
  return EntryReader(messages).read(table);
}

}  // namespace heddle::api
