// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/code_reader.h"

namespace heddle::api {
namespace {

class CodeReader {
 public:
  explicit CodeReader(Messages& messages) : messages_(messages) {}

  std::optional<CodeRule> read(const toml::table& table) {
    for (auto&& [key, node] : table) read_key(key, node);
    if (rule_.file.empty()) fail(table.source(), "code needs a 'file', a C file beside this one");
    if (rule_.functions.empty()) fail(table.source(), "code needs 'functions', a list of symbols");
    const bool has_entry = rule_.entry != Effect::none || rule_.entry_of != Effect::none;
    if (has_entry == rule_.part.empty())
      fail(table.source(), "a 'template' in code goes with 'entry' or 'entry_of', and these with a 'template'");
    if (failed_) return std::nullopt;
    return std::move(rule_);
  }

 private:
  void read_key(const toml::key& key, const toml::node& node) {
    const std::string_view name = key.str();
    if (name == "file") return read_text(name, node, rule_.file);
    if (name == "template") return read_text(name, node, rule_.part);
    if (name == "with") return read_text(name, node, rule_.with);
    if (name == "entry") return read_number(name, node, rule_.entry);
    if (name == "entry_of") return read_number(name, node, rule_.entry_of);
    if (name == "own_parameters") return read_number(name, node, rule_.own_parameters);
    if (name == "functions") return read_functions(node);
    fail(key.source(), "unknown key '" + std::string(name) +
                           "' in code (known: entry, entry_of, file, functions, own_parameters, template, with)");
  }

  void fail(const toml::source_region& place, std::string what) {
    failed_ = true;
    messages_.add(place, std::move(what));
  }

  void read_text(std::string_view key, const toml::node& node, std::string& to) {
    const auto* text = node.as_string();
    if (text != nullptr && !text->get().empty())
      to = text->get();
    else
      fail(node.source(), "'" + std::string(key) + "' in code must be a text, found " + describe(node));
  }

  void read_number(std::string_view key, const toml::node& node, int& to) {
    const auto* number = node.as_integer();
    if (number != nullptr && number->get() >= 0 && number->get() <= 255)
      to = static_cast<int>(number->get());
    else
      fail(node.source(), "'" + std::string(key) + "' in code must lie between 0 and 255, found " + describe(node));
  }

  void read_functions(const toml::node& node) {
    const auto* list = node.as_array();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      std::string name;
      read_text("functions", (*list)[i], name);
      rule_.functions.push_back(std::move(name));
    }
    if (list == nullptr) fail(node.source(), "'functions' in code must be a list of symbols, found " + describe(node));
  }

  Messages& messages_;
  CodeRule rule_;
  bool failed_ = false;
};

}  // namespace

std::optional<CodeRule> read_code_rule(const toml::table& table, Messages& messages) {
  return CodeReader(messages).read(table);
}

}  // namespace heddle::api
