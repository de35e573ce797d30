// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/models/api_models.h"

#include <algorithm>

#include "api/action.h"
#include "api/models/embedded_models.h"
#include "api/models/mentioned_models.h"
#include "api/reader/model_reader.h"
#include "base/check.h"

namespace heddle::api {
namespace {

constexpr std::string_view shipped_folder = "models/";
constexpr std::string_view profile_folder = "models/profiles/";
constexpr std::string_view extension = ".toml";
constexpr std::string_view refusal = "no-";

bool begins_with_one_of(std::string_view symbol, const std::vector<std::string>& prefixes) {
  return std::ranges::any_of(prefixes, [&](const std::string& prefix) { return symbol.starts_with(prefix); });
}

/// `models/profiles/kernel.toml` -> `kernel`; empty for what is always read.
std::string_view profile_name(std::string_view file) {
  if (!file.starts_with(profile_folder)) return {};
  file.remove_prefix(profile_folder.size());
  file.remove_suffix(extension.size());
  return file;
}

/// Files of models that are read unasked.
bool is_always_read(std::string_view file) { return profile_name(file).empty() && file.ends_with(extension); }

}  // namespace

Result<ApiModels> ApiModels::shipped() {
  ApiModels models;
  for (const EmbeddedModel& embedded : embedded_models()) {
    if (!is_always_read(embedded.file)) continue;
    if (auto added = models.add_toml(embedded.text, std::string(embedded.file)); !added)
      return std::unexpected(added.error());
  }
  return models;
}

Result<ApiModels> ApiModels::shipped_for(const Program& program) {
  ApiModels models;
  models.is_whole_ = false;
  const MentionedNames names(program);
  for (const EmbeddedModel& embedded : embedded_models()) {
    if (!is_always_read(embedded.file)) continue;
    const std::string file(embedded.file);
    for (const std::string_view variable : hidden_variables(embedded.text)) models.variables_.emplace(variable);
    if (auto added = models.add(read_part_of_models(mentioned_part(embedded.text, names), file), file); !added)
      return std::unexpected(added.error());
  }
  return models;
}

std::vector<std::string> ApiModels::profiles() {
  std::vector<std::string> names;
  for (const EmbeddedModel& embedded : embedded_models())
    if (const std::string_view name = profile_name(embedded.file); !name.empty()) names.emplace_back(name);
  return names;
}

Result<void> ApiModels::add_profile(std::string_view name) {
  std::string known;
  for (const EmbeddedModel& embedded : embedded_models()) {
    const std::string_view found = profile_name(embedded.file);
    if (found.empty()) continue;
    if (found == name) return add_toml(embedded.text, std::string(embedded.file));
    known += (known.empty() ? "" : ", ") + std::string(found);
  }
  for (Rules& rules : rules_) {
    if (rules.name.empty()) continue;
    if (name == rules.name) return rules.is_chosen = true, Result<void>{};
    if (name.starts_with(refusal) && name.substr(refusal.size()) == rules.name)
      return rules.is_refused = true, Result<void>{};
    known += ", " + rules.name + ", " + std::string(refusal) + rules.name;
  }
  return error("'" + std::string(name) + "' is no profile (known: " + known + ")");
}

void ApiModels::add_missing(std::vector<Model> models) {
  for (Model& model : models) {
    if (find(model.name) != nullptr) continue;
    std::string name = model.name;
    exact_.insert_or_assign(std::move(name), std::move(model));
  }
}

Result<void> ApiModels::add_toml(std::string_view text, const std::string& file) {
  return add(read_models(text, file), file);
}

Result<void> ApiModels::add(Result<ModelFile> read, const std::string& file) {
  if (!read) return std::unexpected(std::move(read.error()));
  if (!read->code.empty() && !file.starts_with(shipped_folder))
    return error(file + ": [[code]] is for the files that are shipped with heddle");
  for (const std::string& variable : read->known_variables) variables_.insert(variable);
  for (Model& model : read->models) {
    for (const Effect& effect : model.effects)
      if (const auto touch = get<Touch>(effect); touch && touch->extent == Touch::Extent::Hidden)
        variables_.emplace(touch->name);
    const bool is_prefix = model.name.ends_with('*');
    std::string key = is_prefix ? model.name.substr(0, model.name.size() - 1) : model.name;
    (is_prefix ? prefixes_ : exact_).insert_or_assign(std::move(key), std::move(model));
  }
  rules_.push_back({read->profile_name, std::move(read->atomic_prefixes), std::move(read->closed_prefixes),
                    read->sequential_atomics});
  volatile_is_marked_ |= read->volatile_is_marked;
  if (!file.starts_with(shipped_folder)) {
    const auto says_how_it_runs = [](const EntryRule& rule) {
      return rule.traits != EntryTraits{} || !rule.above.empty();
    };
    system_.is_said |= read->system.is_said;
    describes_system_ |= read->system.is_said || std::ranges::any_of(read->entries, says_how_it_runs);
  }
  std::ranges::move(read->entries, std::back_inserter(entries_));
  add_system(std::move(read->system));
  return {};
}

void ApiModels::add_system(SystemRules rules) {
  const auto append = [](auto& to, auto& from) { std::ranges::move(from, std::back_inserter(to)); };
  if (rules.cores) system_.cores = rules.cores;
  if (rules.atomic_bytes) system_.atomic_bytes = rules.atomic_bytes;
  if (rules.equal_preempts) system_.equal_preempts = rules.equal_preempts;
  if (rules.one_scale) system_.one_scale = rules.one_scale;
  if (!rules.oil.empty()) {
    system_.oil = std::move(rules.oil);
    system_.oil_place = std::move(rules.oil_place);
  }
  append(system_.redundant, rules.redundant);
  append(system_.outputs, rules.outputs);
  append(system_.error_flags, rules.error_flags);
  append(system_.scheduler_starts, rules.scheduler_starts);
  append(system_.masks, rules.masks);
  append(system_.exclusions, rules.exclusions);
}

const Model* ApiModels::find(std::string_view symbol) const {
  if (const auto at = exact_.find(symbol); at != exact_.end()) return &at->second;
  // The longest prefix is the last key that is not behind the symbol, unless that key goes on in another way: then it
  // is a prefix of what the two have in common.
  for (std::string_view begin = symbol; !begin.empty();) {
    auto at = prefixes_.upper_bound(begin);
    if (at == prefixes_.begin()) return nullptr;
    --at;
    const auto common = std::ranges::mismatch(begin, at->first).in1;
    begin = begin.substr(0, static_cast<std::size_t>(common - begin.begin()));
    if (begin.size() == at->first.size() && !begin.empty()) return &at->second;
  }
  return nullptr;
}

const Model* ApiModels::find_wrapper(std::string_view symbol) const {
  // Linking calls internal functions of one name `name@unit`.
  const Model* model = find(symbol.substr(0, symbol.find('@')));
  return model != nullptr && model->is_wrapper ? model : nullptr;
}

bool ApiModels::is_atomic_function(std::string_view symbol) const {
  return std::ranges::any_of(rules_, [&](const Rules& rules) {
    return !rules.is_refused && begins_with_one_of(symbol, rules.atomic_prefixes);
  });
}

bool ApiModels::Rules::hold_for(const Program& program) const {
  if (is_refused || is_chosen) return !is_refused;
  return std::ranges::any_of(program.functions,
                             [&](const Function& f) { return begins_with_one_of(f.name, closed_prefixes); });
}

bool ApiModels::is_closed(const Program& program) const {
  return std::ranges::any_of(
      rules_, [&](const Rules& rules) { return !rules.closed_prefixes.empty() && rules.hold_for(program); });
}

bool ApiModels::has_sequential_atomics(const Program& program) const {
  return std::ranges::any_of(rules_,
                             [&](const Rules& rules) { return rules.sequential_atomics && rules.hold_for(program); });
}

std::vector<const Model*> ApiModels::all() const {
  HEDDLE_CHECK(is_whole_, "models were left out");
  std::vector<const Model*> models;
  for (const auto& [name, model] : exact_) models.push_back(&model);
  for (const auto& [name, model] : prefixes_) models.push_back(&model);
  std::ranges::sort(models, {}, [](const Model* m) -> const std::string& { return m->name; });
  return models;
}

}  // namespace heddle::api
