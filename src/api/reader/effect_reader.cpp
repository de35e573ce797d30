// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/effect_reader.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "api/object_size.h"
#include "api/reader/effect_schema.h"
#include "api/reader/length_text.h"
#include "api/reader/result_text.h"

namespace heddle::api {
namespace {

constexpr std::int64_t max_slot = 4096;

constexpr auto success_names = std::to_array<std::pair<std::string_view, Success>>({
    {"always", Success::Always},
    {"zero", Success::Zero},
    {"nonzero", Success::NonZero},
    {"nonnegative", Success::NonNegative},
    {"not -1", Success::NotMinusOne},
});
constexpr auto mode_names = std::to_array<std::pair<std::string_view, LockMode>>({
    {"exclusive", LockMode::Exclusive},
    {"shared", LockMode::Shared},
});

std::vector<std::pair<std::string_view, Granted>> granted_names() {
  std::vector<std::pair<std::string_view, Granted>> names;
  for (const Granted granted : {Granted::Allocation, Granted::Creation, Granted::Locks})
    names.emplace_back(assumption_of(granted), granted);
  return names;
}

std::vector<std::pair<std::string_view, EntryContext>> context_names() {
  std::vector<std::pair<std::string_view, EntryContext>> names;
  for (int i = 0; i <= static_cast<int>(EntryContext::Exit); ++i)
    names.emplace_back(to_text(static_cast<EntryContext>(i)), static_cast<EntryContext>(i));
  return names;
}

/// Reads the values of one effect; every failed step leaves a message.
class EffectReader {
 public:
  EffectReader(const std::string& owner, Messages& messages) : owner_(owner), messages_(messages) {}

  std::optional<Effect> from_string(const toml::node& node, const std::string& name) {
    const KindRow* row = find_kind(name);
    if (row == nullptr) {
      fail(node, "unknown effect '" + name + "' in " + owner_ + " (known: " + known_kinds() + ")");
      return std::nullopt;
    }
    if (row->main != Main::Flag) {
      fail(node, "effect '" + name + "' in " + owner_ + " needs a value: { " + name + " = … }");
      return std::nullopt;
    }
    Effect effect;
    effect.kind = row->kind;
    return effect;
  }

  std::optional<Effect> from_table(const toml::table& table) {
    const KindRow* row = kind_of(table);
    if (row == nullptr) return std::nullopt;
    Effect effect;
    effect.kind = row->kind;
    const std::vector<AllowedOption> allowed = options_of(*row);
    for (auto&& [key, node] : table) {
      if (key.str() == row->key)
        read_main(node, *row, effect);
      else
        read_option(key, node, *row, allowed, effect);
    }
    for (const AllowedOption& option : allowed)
      if (option.required && !table.contains(option.key))
        fail(table, "effect '" + std::string(row->key) + "' in " + owner_ + " needs '" + std::string(option.key) + "'");
    if (failed_) return std::nullopt;
    return effect;
  }

 private:
  void fail(const toml::node& node, std::string what) { fail(node.source(), std::move(what)); }
  void fail(const toml::source_region& place, std::string what) {
    failed_ = true;
    messages_.add(place, std::move(what));
  }

  static std::string known_kinds() {
    std::string text;
    for (const KindRow& row : kind_rows()) text += (text.empty() ? "" : ", ") + std::string(row.key);
    return text;
  }

  /// The one key of the table that names a kind.
  const KindRow* kind_of(const toml::table& table) {
    const KindRow* found = nullptr;
    for (auto&& [key, node] : table) {
      const KindRow* row = find_kind(key.str());
      if (row == nullptr) continue;
      if (found != nullptr) {
        fail(key.source(), "effect in " + owner_ + " has two kinds, '" + std::string(found->key) + "' and '" +
                               std::string(row->key) + "'; write two effects");
        return nullptr;
      }
      found = row;
    }
    if (found != nullptr) return found;
    for (auto&& [key, node] : table)
      if (find_option(key.str()) == nullptr) {
        fail(key.source(),
             "unknown key '" + std::string(key.str()) + "' in " + owner_ + " (known: " + known_kinds() + ")");
        return nullptr;
      }
    fail(table, "effect in " + owner_ + " names no kind (known: " + known_kinds() + ")");
    return nullptr;
  }

  void read_main(const toml::node& node, const KindRow& row, Effect& effect) {
    switch (row.main) {
      case Main::Object: return read_number(node, row.key, max_argument, effect.object);
      case Main::Entry: return read_number(node, row.key, max_argument, effect.entry);
      case Main::Value: return read_number(node, row.key, max_argument, effect.value);
      case Main::Length: return read_length(node, row.key, effect.length);
      case Main::Note: return read_text(node, row.key, effect.note);
      case Main::Context: return read_name(node, row.key, context_names(), effect.context);
      case Main::Flag: {
        const auto* flag = node.as_boolean();
        if (flag == nullptr || !flag->get())
          fail(node, "'" + std::string(row.key) + "' in " + owner_ + " can only be true");
        return;
      }
    }
  }

  void read_option(const toml::key& key, const toml::node& node, const KindRow& row,
                   const std::vector<AllowedOption>& allowed, Effect& effect) {
    const OptionRow* option = find_option(key.str());
    if (option == nullptr || std::ranges::find(allowed, key.str(), &AllowedOption::key) == allowed.end()) {
      std::string known(row.key);
      for (const AllowedOption& a : allowed) known += ", " + std::string(a.key);
      fail(key.source(), "unknown key '" + std::string(key.str()) + "' in effect '" + std::string(row.key) + "' in " +
                             owner_ + " (known: " + known + ")");
      return;
    }
    switch (option->form) {
      case OptionForm::Argument: return read_number(node, key.str(), max_argument, effect.*option->argument);
      case OptionForm::Slot: return read_number(node, key.str(), max_slot, effect.*option->argument);
      case OptionForm::Boolean: return read_boolean(node, key.str(), effect.*option->boolean);
      case OptionForm::Text: return read_text(node, key.str(), effect.note);
      case OptionForm::LengthText: return read_length(node, key.str(), effect.length);
      case OptionForm::ModeName: return read_name(node, key.str(), mode_names, effect.mode);
      case OptionForm::ContextName: return read_name(node, key.str(), context_names(), effect.context);
      case OptionForm::SuccessName: return read_name(node, key.str(), success_names, effect.success);
      case OptionForm::TypeName: return read_type(node, key.str(), effect.length);
      case OptionForm::GrantedName: return read_name(node, key.str(), granted_names(), effect.granted);
      case OptionForm::ValidRange: return read_range(node, key.str(), effect.valid);
      case OptionForm::Except: return read_any_number(node, key.str(), effect.except);
      case OptionForm::Bits: return read_any_number(node, key.str(), effect.bits);
      case OptionForm::HandlePlace: {
        const auto* text = node.as_string();
        effect.handle_returned = text != nullptr && text->get() == "return";
        if (!effect.handle_returned) read_number(node, key.str(), max_argument, effect.handle);
        return;
      }
    }
  }

  void read_any_number(const toml::node& node, std::string_view key, std::int64_t& out) {
    const auto* number = node.as_integer();
    if (number == nullptr) return wrong_type(node, key, "a number");
    out = number->get();
  }

  void wrong_type(const toml::node& node, std::string_view key, std::string_view expected) {
    fail(node,
         "'" + std::string(key) + "' in " + owner_ + " must be " + std::string(expected) + ", found " + describe(node));
  }

  void read_number(const toml::node& node, std::string_view key, std::int64_t limit, int& field) {
    const auto* number = node.as_integer();
    if (number == nullptr) return wrong_type(node, key, "an argument number");
    const std::int64_t n = number->get();
    if (n < 0 || n > limit)
      return fail(node, "'" + std::string(key) + "' in " + owner_ + " must lie between 0 and " + std::to_string(limit) +
                            ", found " + std::to_string(n));
    field = static_cast<int>(n);
  }

  void read_boolean(const toml::node& node, std::string_view key, bool& field) {
    const auto* flag = node.as_boolean();
    if (flag == nullptr) return wrong_type(node, key, "true or false");
    field = flag->get();
  }

  void read_text(const toml::node& node, std::string_view key, std::string& field) {
    const auto* text = node.as_string();
    if (text == nullptr || text->get().empty()) return wrong_type(node, key, "a text");
    field = text->get();
  }

  void read_length(const toml::node& node, std::string_view key, Length& field) {
    if (const auto* number = node.as_integer()) {
      if (number->get() <= 0)
        return fail(node, "'" + std::string(key) + "' in " + owner_ + " must be above 0, found " +
                              std::to_string(number->get()));
      field = {Length::Kind::Constant, number->get(), 0};
      return;
    }
    const auto* text = node.as_string();
    if (text == nullptr) return wrong_type(node, key, length_forms);
    const auto length = parse_length(text->get());
    if (!length) return wrong_type(node, key, length_forms);
    field = *length;
  }

  void read_type(const toml::node& node, std::string_view key, Length& field) {
    const auto* text = node.as_string();
    const auto type = text == nullptr ? std::nullopt : library_type(text->get());
    if (!type) return wrong_type(node, key, library_type_names());
    field = {Length::Kind::Type, static_cast<std::int64_t>(*type), 0};
  }

  void read_range(const toml::node& node, std::string_view key, std::optional<Range>& field) {
    const auto* text = node.as_string();
    field = text == nullptr ? std::nullopt : parse_range(text->get());
    if (!field) wrong_type(node, key, "a range such as \"0..3\"");
  }

  template <class Names, class Field>
  void read_name(const toml::node& node, std::string_view key, const Names& names, Field& field) {
    const auto* text = node.as_string();
    std::string known;
    for (const auto& [name, value] : names) {
      known += (known.empty() ? "" : ", ") + std::string(name);
      if (text != nullptr && text->get() == name) {
        field = value;
        return;
      }
    }
    wrong_type(node, key, "one of " + known);
  }

  const std::string& owner_;
  Messages& messages_;
  bool failed_ = false;
};

}  // namespace

std::optional<Effect> read_effect(const toml::node& node, const std::string& owner, Messages& messages) {
  EffectReader reader(owner, messages);
  if (const auto* name = node.as_string()) return reader.from_string(node, name->get());
  if (const auto* table = node.as_table()) return reader.from_table(*table);
  messages.add(node.source(),
               "an effect in " + owner + " must be a table or the name of a kind, found " + describe(node));
  return std::nullopt;
}

}  // namespace heddle::api
