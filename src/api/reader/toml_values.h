// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of heddle.toml that several readers have in common: a number, a flag, a name or a list of names; and what is
// said about keys that nobody knows. Internal to src/api.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/reader/toml_places.h"
#include "api/system_rules.h"

namespace heddle::api {

/// Reads the values of one table. Whatever is wrong becomes a message, and `failed()`.
class TomlValues {
 public:
  /// `owner`: `a mask`, `system`; for messages.
  TomlValues(std::string owner, Messages& messages) : owner_(std::move(owner)), messages_(messages) {}

  void fail(const toml::source_region& place, std::string what);
  /// `unknown key 'nmber' in an entry; did you mean 'number'? (known: …)`
  void unknown_key(const toml::key& key, std::span<const std::string_view> known);

  void number(std::string_view key, const toml::node& node, std::optional<std::int64_t>& out);
  void flag(std::string_view key, const toml::node& node, std::optional<bool>& out);
  void text(std::string_view key, const toml::node& node, std::string& out);
  /// A text, or a list of texts that is not empty.
  void names(std::string_view key, const toml::node& node, std::vector<std::string>& out);
  void placed_names(std::string_view key, const toml::node& node, std::vector<PlacedName>& out);

  [[nodiscard]] std::string place(const toml::source_region& region) const;
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const std::string& file() const { return messages_.file(); }

 private:
  void wrong(std::string_view key, const toml::node& node, std::string_view expected);

  std::string owner_;
  Messages& messages_;
  bool failed_ = false;
};

}  // namespace heddle::api
