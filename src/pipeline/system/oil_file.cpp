// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/system/oil_file.h"

#include <filesystem>

#include "base/read_file.h"

namespace heddle::pipeline {

std::string oil_path(const std::string& asked, const api::SystemRules& rules) {
  if (!asked.empty() || rules.oil.empty()) return asked;
  const std::string& place = rules.oil_place;
  const std::string file = place.substr(0, place.rfind(':', place.rfind(':') - 1));
  return (std::filesystem::path(file).parent_path() / rules.oil).string();
}

Result<std::optional<depend::OilSystem>> load_oil(const std::string& asked, const api::SystemRules& rules) {
  const std::string path = oil_path(asked, rules);
  if (path.empty()) return std::nullopt;
  const auto read = [](const std::string& name) { return read_given_file(name); };
  const auto text = read(path);
  if (!text) return error((asked.empty() ? rules.oil_place : "--oil") + ": '" + path + "' " + text.error().message);
  auto oil = depend::read_oil(*text, path, read);
  if (!oil) return std::unexpected(oil.error());
  return std::move(*oil);
}

}  // namespace heddle::pipeline
