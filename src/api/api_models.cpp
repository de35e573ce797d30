// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/api_models.h"

#include <algorithm>

#include "api/embedded_models.h"
#include "api/model_reader.h"

namespace heddle::api {

Result<ApiModels> ApiModels::shipped() {
  ApiModels models;
  for (const EmbeddedModel& embedded : embedded_models())
    if (auto added = models.add_toml(embedded.text, std::string(embedded.file)); !added)
      return std::unexpected(added.error());
  return models;
}

Result<void> ApiModels::add_toml(std::string_view text, const std::string& file) {
  auto read = read_models(text, file);
  if (!read) return std::unexpected(std::move(read.error()));
  for (Model& model : read->models) {
    const bool is_prefix = model.name.ends_with('*');
    std::string key = is_prefix ? model.name.substr(0, model.name.size() - 1) : model.name;
    (is_prefix ? prefixes_ : exact_).insert_or_assign(std::move(key), std::move(model));
  }
  auto add_new = [](std::vector<std::string>& known, std::vector<std::string>& more) {
    for (std::string& prefix : more)
      if (std::ranges::find(known, prefix) == known.end()) known.push_back(std::move(prefix));
  };
  add_new(atomic_prefixes_, read->atomic_prefixes);
  add_new(closed_prefixes_, read->closed_prefixes);
  return {};
}

const Model* ApiModels::find(std::string_view symbol) const {
  if (const auto at = exact_.find(symbol); at != exact_.end()) return &at->second;
  for (std::size_t length = symbol.size(); length > 0; --length)
    if (const auto at = prefixes_.find(symbol.substr(0, length)); at != prefixes_.end()) return &at->second;
  return nullptr;
}

bool ApiModels::is_atomic_function(std::string_view symbol) const {
  return std::ranges::any_of(atomic_prefixes_, [&](const std::string& p) { return symbol.starts_with(p); });
}

bool ApiModels::marks_closed_program(std::string_view symbol) const {
  return std::ranges::any_of(closed_prefixes_, [&](const std::string& p) { return symbol.starts_with(p); });
}

std::vector<const Model*> ApiModels::all() const {
  std::vector<const Model*> models;
  for (const auto& [name, model] : exact_) models.push_back(&model);
  for (const auto& [name, model] : prefixes_) models.push_back(&model);
  std::ranges::sort(models, {}, [](const Model* m) -> const std::string& { return m->name; });
  return models;
}

}  // namespace heddle::api
