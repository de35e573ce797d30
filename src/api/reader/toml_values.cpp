// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/toml_values.h"

#include <algorithm>
#include <set>

#include "base/near_names.h"

namespace heddle::api {

void TomlValues::fail(const toml::source_region& place, std::string what) {
  failed_ = true;
  messages_.add(place, std::move(what));
}

void TomlValues::unknown_key(const toml::key& key, std::span<const std::string_view> known) {
  std::set<std::string> names(known.begin(), known.end());
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  const std::vector<std::string> near = near_names(std::string(key.str()), names, 1);
  fail(key.source(), "unknown key '" + std::string(key.str()) + "' in " + owner_ +
                         (near.empty() ? "" : "; did you mean '" + near.front() + "'?") + " (known: " + list + ")");
}

void TomlValues::wrong(std::string_view key, const toml::node& node, std::string_view expected) {
  fail(node.source(),
       "'" + std::string(key) + "' in " + owner_ + " must be " + std::string(expected) + ", found " + describe(node));
}

void TomlValues::number(std::string_view key, const toml::node& node, std::optional<std::int64_t>& out) {
  constexpr std::int64_t largest = 1'000'000'000;
  const auto* value = node.as_integer();
  if (value == nullptr || value->get() > largest || value->get() < -largest)
    return wrong(key, node, "a whole number of at most nine digits");
  out = value->get();
}

void TomlValues::flag(std::string_view key, const toml::node& node, std::optional<bool>& out) {
  const auto* value = node.as_boolean();
  if (value == nullptr) return wrong(key, node, "true or false");
  out = value->get();
}

void TomlValues::text(std::string_view key, const toml::node& node, std::string& out) {
  const auto* value = node.as_string();
  if (value == nullptr || value->get().empty()) return wrong(key, node, "a text");
  out = value->get();
}

void TomlValues::names(std::string_view key, const toml::node& node, std::vector<std::string>& out) {
  std::vector<PlacedName> found;
  placed_names(key, node, found);
  for (PlacedName& name : found) out.push_back(std::move(name.name));
}

void TomlValues::placed_names(std::string_view key, const toml::node& node, std::vector<PlacedName>& out) {
  constexpr std::string_view expected = "a name or a list of names";
  const auto add = [&](const toml::node& one) {
    const auto* value = one.as_string();
    if (value == nullptr || value->get().empty()) return wrong(key, one, expected);
    out.push_back({value->get(), place(one.source())});
  };
  const auto* list = node.as_array();
  if (list == nullptr) return add(node);
  if (list->empty()) return wrong(key, node, expected);
  for (const toml::node& one : *list) add(one);
}

std::string TomlValues::place(const toml::source_region& region) const {
  return messages_.file() + ":" + std::to_string(region.begin.line) + ":" + std::to_string(region.begin.column);
}

}  // namespace heddle::api
