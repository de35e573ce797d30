// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/model_reader.h"

#include <algorithm>
#include <map>
#include <set>

#include "api/reader/code_reader.h"
#include "api/reader/effect_reader.h"
#include "api/reader/entry_reader.h"
#include "api/reader/result_text.h"
#include "api/reader/system_reader.h"
#include "api/reader/toml_places.h"
#include "base/contains.h"
#include "base/near_names.h"

namespace heddle::api {
namespace {

constexpr std::size_t most_messages = 20;
constexpr std::string_view model_keys[] = {"name", "names", "effects", "errno", "result"};

std::string place_text(const toml::source_region& place) {
  return std::to_string(place.begin.line) + ":" + std::to_string(place.begin.column);
}

bool is_symbol(std::string_view name) {
  return !name.empty() && !name.contains('*') &&
         std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

/// The first table header without a name, the one mistake known to make toml++ give up; else the start of the text.
toml::source_position malformed_header(std::string_view text) {
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::string_view row = text.substr(0, text.find('\n'));
    const std::size_t start = row.find_first_not_of(" \t");
    if (start != std::string_view::npos && row[start] == '[') {
      const std::size_t name = row.find_first_not_of("[ \t", start);
      const char first = name == std::string_view::npos ? '\0' : row[name];
      const bool is_name = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                           (first >= '0' && first <= '9') || std::string_view("_-\"'").contains(first);
      if (!is_name) return {line, static_cast<std::uint32_t>(start + 1)};
    }
    text.remove_prefix(std::min(row.size() + 1, text.size()));
  }
  return {1, 1};
}

class ModelReader {
 public:
  ModelReader(const std::string& file, bool is_whole) : messages_(file), is_whole_(is_whole) {}

  Result<ModelFile> read(const toml::table& document) {
    if (const toml::node* defaults = document.get("defaults")) read_defaults(*defaults);
    const toml::node* additions = nullptr;  // behind the models that they add to
    for (auto&& [key, node] : document) {
      if (key.str() == "defaults" || read_system_part(key.str(), node)) continue;
      if (key.str() == "function" || key.str() == "wrapper")
        read_functions(std::string(key.str()), node);
      else if (key.str() == "also")
        additions = &node;
      else if (key.str() == "code")
        read_code(node);
      else if (key.str() == "entry")
        read_entries(node);
      else if (key.str() == "profile")
        read_profile(node);
      else if (key.str() == "capture")
        read_capture(node);
      else if (key.str() == "run")
        read_run(node);
      else if (key.str() == "variables")
        read_variables(node);
      else
        unknown_part(key);
    }
    if (additions != nullptr) read_additions(*additions);
    add_mask_models();
    if (!messages_.empty()) return error(messages_.text());
    return std::move(result_);
  }

 private:
  void unknown_part(const toml::key& key) {
    static const std::set<std::string> known = {
        "also", "capture", "code", "critical_section", "defaults",  "entry",  "exclusion", "function",
        "mask", "profile", "run",  "system",           "variables", "wrapper"};
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    const std::vector<std::string> near = near_names(std::string(key.str()), known, 1);
    messages_.add(key.source(), "unknown key '" + std::string(key.str()) + "'" +
                                    (near.empty() ? "" : "; did you mean '" + near.front() + "'?") +
                                    " (known: " + list + ")");
  }

  /// What tells of tasks, interrupts and the machine they run on.
  bool read_system_part(std::string_view key, const toml::node& node) {
    if (key == "mask")
      read_tables("mask", node, [&](const toml::table& table) { read_mask(table, messages_, result_.system); });
    else if (key == "critical_section")
      read_tables("critical_section", node,
                  [&](const toml::table& table) { read_critical_section(table, messages_, result_.system); });
    else if (key == "exclusion")
      read_tables("exclusion", node,
                  [&](const toml::table& table) { read_exclusion(table, messages_, result_.system); });
    else if (key != "system")
      return false;
    else if (const auto* table = node.as_table())
      read_system(*table, messages_, result_.system, result_.entries);
    else
      messages_.add(node.source(), "'system' must be a table: write [system]");
    return true;
  }

  /// For scans, a mask of all interrupts is an effect of the functions that begin and end it.
  void add_mask_models() {
    const auto add = [&](const std::vector<std::string>& names, EffectKind kind) {
      for (const std::string& name : names) {
        if (!is_symbol(name) || places_.contains(name)) continue;  // the file says itself what it does
        places_.emplace(name, "");
        Effect effect;
        effect.kind = kind;
        effect.context = EntryContext::Hardirq;
        Model model{name, messages_.file(), {effect}, {}};
        model.is_wrapper = true;
        model.result.is_said = model.result.is_any = true;
        result_.models.push_back(std::move(model));
      }
    };
    for (const MaskRule& rule : result_.system.masks) {
      if (rule.of != MaskRule::Of::Interrupts || rule.argument) continue;
      add(rule.disable, EffectKind::Mask);
      add(rule.enable, EffectKind::Unmask);
      add(rule.restore, EffectKind::Unmask);
    }
  }

  /// Calls `read` for each table of an array of tables.
  template <class Read>
  void read_tables(const std::string& key, const toml::node& node, const Read& read) {
    const auto* list = node.as_array();
    if (list == nullptr) {
      messages_.add(node.source(), "'" + key + "' must be an array of tables: write [[" + key + "]]");
      return;
    }
    for (const toml::node& entry : *list) {
      if (const auto* table = entry.as_table())
        read(*table);
      else
        messages_.add(entry.source(), "'" + key + "' must hold tables, found " + describe(entry));
    }
  }

  void read_functions(const std::string& key, const toml::node& node) {
    read_tables(key, node, [&](const toml::table& table) { read_function(table, key == "wrapper"); });
  }

  /// What several functions of the file do before everything else that their models say.
  void read_additions(const toml::node& node) {
    read_tables("also", node, [&](const toml::table& table) {
      const std::vector<Effect> effects = read_effects(table, "an addition");
      const auto* names = table["names"].as_array();
      if (names == nullptr)
        messages_.add(table.source(), "an addition needs 'names', a list of functions of this file");
      for (std::size_t i = 0; names != nullptr && i < names->size(); ++i) add_to((*names)[i], effects);
    });
  }

  void add_to(const toml::node& name, const std::vector<Effect>& effects) {
    const auto* text = name.as_string();
    const auto model = std::ranges::find(result_.models, text == nullptr ? "" : text->get(), &Model::name);
    if (model != result_.models.end())
      model->effects.insert(model->effects.begin(), effects.begin(), effects.end());
    else if (is_whole_)
      messages_.add(name.source(), describe(name) + " has no model in this file that could be added to");
  }

  void read_entries(const toml::node& node) {
    read_tables("entry", node, [&](const toml::table& table) {
      if (auto rule = read_entry_rule(table, messages_)) result_.entries.push_back(std::move(*rule));
    });
  }

  void read_code(const toml::node& node) {
    read_tables("code", node, [&](const toml::table& table) {
      if (auto rule = read_code_rule(table, messages_)) result_.code.push_back(std::move(*rule));
    });
  }

  void read_function(const toml::table& table, bool is_wrapper) {
    const std::vector<std::string> names = read_names(table);
    const std::string owner = names.empty() ? "a model" : "model of '" + names.front() + "'";
    for (auto&& [key, node] : table)
      if (!contains(model_keys, key.str()))
        messages_.add(key.source(), "unknown key '" + std::string(key.str()) + "' in " + owner +
                                        " (known: name, names, effects, errno, result)");
    const std::vector<Effect> effects = read_effects(table, owner);
    CallResult result = default_result_;
    bool keeps_errno = default_keeps_errno_;
    read_outcome(table, owner, result, keeps_errno);
    for (const std::string& name : names)
      result_.models.push_back({name, messages_.file(), effects, result, keeps_errno, is_wrapper});
  }

  /// [defaults]: what the functions of a file return and do to errno where they say nothing else.
  void read_defaults(const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) {
      messages_.add(node.source(), "'defaults' must be a table: write [defaults]");
      return;
    }
    for (auto&& [key, value] : *table)
      if (key.str() != "result" && key.str() != "errno")
        messages_.add(key.source(), "unknown key '" + std::string(key.str()) + "' in defaults (known: errno, result)");
    read_outcome(*table, "defaults", default_result_, default_keeps_errno_);
  }

  void read_outcome(const toml::table& table, const std::string& owner, CallResult& result, bool& keeps_errno) {
    if (const toml::node* node = table.get("result")) {
      const auto* text = node->as_string();
      const auto parsed = text == nullptr ? std::nullopt : parse_result(text->get());
      if (parsed)
        result = *parsed;
      else
        messages_.add(node->source(),
                      "'result' in " + owner + " must be " + std::string(result_forms) + ", found " + describe(*node));
    }
    if (const toml::node* node = table.get("errno")) {
      const auto* text = node->as_string();
      if (text != nullptr && (text->get() == "kept" || text->get() == "changed"))
        keeps_errno = text->get() == "kept";
      else
        messages_.add(node->source(),
                      "'errno' in " + owner + " must be \"kept\" or \"changed\", found " + describe(*node));
    }
  }

  std::vector<std::string> read_names(const toml::table& table) {
    std::vector<std::string> names;
    const toml::node* one = table.get("name");
    const toml::node* many = table.get("names");
    if ((one == nullptr) == (many == nullptr)) {
      messages_.add(table.source(), one == nullptr ? "a model needs 'name' or 'names'"
                                                   : "a model has both 'name' and 'names'; one is enough");
      return names;
    }
    if (one != nullptr) {
      read_name(*one, names);
    } else if (const auto* list = many->as_array(); list != nullptr && !list->empty()) {
      for (const toml::node& entry : *list) read_name(entry, names);
    } else {
      messages_.add(many->source(), "'names' must be a list of symbols that is not empty, found " + describe(*many));
    }
    return names;
  }

  void read_name(const toml::node& node, std::vector<std::string>& names) {
    const auto* text = node.as_string();
    if (text == nullptr) {
      messages_.add(node.source(), "the name of a function must be a string, found " + describe(node));
      return;
    }
    const std::string& name = text->get();
    const std::size_t star = name.find('*');
    const bool has_blank = std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
    if (name.empty() || name == "*" || has_blank || (star != std::string::npos && star + 1 != name.size())) {
      messages_.add(node.source(), "'" + name + "' is no symbol and no prefix (a symbol followed by one '*')");
      return;
    }
    const auto [earlier, is_new] = places_.emplace(name, place_text(node.source()));
    if (is_new)
      names.push_back(name);
    else
      messages_.add(node.source(), "'" + name + "' has a model already, at " + earlier->second);
  }

  std::vector<Effect> read_effects(const toml::table& table, const std::string& owner) {
    std::vector<Effect> effects;
    const toml::node* node = table.get("effects");
    if (node == nullptr) {
      messages_.add(table.source(), owner + " needs 'effects'; an empty list says that there are none");
      return effects;
    }
    const auto* list = node->as_array();
    if (list == nullptr) {
      messages_.add(node->source(), "'effects' in " + owner + " must be a list, found " + describe(*node));
      return effects;
    }
    for (const toml::node& entry : *list)
      if (auto effect = read_effect(entry, owner, messages_)) effects.push_back(std::move(*effect));
    return effects;
  }

  void read_profile(const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) {
      messages_.add(node.source(), "'profile' must be a table: write [profile]");
      return;
    }
    for (auto&& [key, value] : *table) {
      if (key.str() == "atomic_functions")
        read_texts("atomic_functions", "prefix", value, result_.atomic_prefixes);
      else if (key.str() == "closed_programs")
        read_texts("closed_programs", "prefix", value, result_.closed_prefixes);
      else if (key.str() == "name")
        read_profile_name(value);
      else if (key.str() == "sequential_atomics" || key.str() == "volatile_is_marked")
        read_flag(key.str(), value,
                  key.str() == "sequential_atomics" ? result_.sequential_atomics : result_.volatile_is_marked);
      else
        messages_.add(key.source(), "unknown key '" + std::string(key.str()) +
                                        "' in profile (known: atomic_functions, closed_programs, name, "
                                        "sequential_atomics, volatile_is_marked)");
    }
  }

  void read_profile_name(const toml::node& value) {
    const auto* text = value.as_string();
    if (text == nullptr || text->get().empty() || text->get().starts_with("no-"))
      messages_.add(value.source(), "'name' in profile must be a text that does not begin with 'no-'");
    else
      result_.profile_name = text->get();
  }

  void read_flag(std::string_view key, const toml::node& value, bool& to) {
    if (const auto* flag = value.as_boolean())
      to = flag->get();
    else
      messages_.add(value.source(), "'" + std::string(key) + "' must be true or false, found " + describe(value));
  }

  void read_capture(const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) {
      messages_.add(node.source(), "'capture' must be a table: write [capture]");
      return;
    }
    for (auto&& [key, value] : *table) {
      if (key.str() == "compilers") {
        read_texts("compilers", "name", value, result_.capture.compilers);
      } else if (key.str() == "build") {
        read_texts("build", "word", value, result_.capture.build);
      } else if (key.str() != "database") {
        messages_.add(key.source(),
                      "unknown key '" + std::string(key.str()) + "' in capture (known: build, compilers, database)");
      } else if (const auto* path = value.as_string()) {
        result_.capture.database = path->get();
      } else {
        messages_.add(value.source(),
                      "'database' must be the path of a compile_commands.json, found " + describe(value));
      }
    }
  }

  void read_run(const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) {
      messages_.add(node.source(), "'run' must be a table: write [run]");
      return;
    }
    for (auto&& [key, value] : *table) {
      const auto* text = value.as_string();
      if (key.str() != "command")
        messages_.add(key.source(), "unknown key '" + std::string(key.str()) + "' in run (known: command)");
      else if (text == nullptr || text->get().empty())
        messages_.add(value.source(), "'command' must be a text such as \"./server -p 80\", found " + describe(value));
      else
        result_.run.command = text->get();
    }
  }

  void read_variables(const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) {
      messages_.add(node.source(), "'variables' must be a table: write [variables]");
      return;
    }
    for (auto&& [key, value] : *table)
      if (key.str() == "known")
        read_texts("known", "name", value, result_.known_variables);
      else
        messages_.add(key.source(), "unknown key '" + std::string(key.str()) + "' in variables (known: known)");
  }

  void read_texts(const std::string& key, const std::string& what, const toml::node& node,
                  std::vector<std::string>& into) {
    const auto* list = node.as_array();
    if (list == nullptr) {
      messages_.add(node.source(), "'" + key + "' must be a list of " + what + (what == "prefix" ? "es" : "s") +
                                       ", found " + describe(node));
      return;
    }
    for (const toml::node& entry : *list) {
      const auto* text = entry.as_string();
      if (text != nullptr && !text->get().empty())
        into.push_back(text->get());
      else
        messages_.add(entry.source(), "a " + what + " in '" + key + "' must be a text, found " + describe(entry));
    }
  }

  Messages messages_;
  bool is_whole_;
  ModelFile result_;
  CallResult default_result_;
  bool default_keeps_errno_ = false;
  std::map<std::string, std::string> places_;  ///< name -> line:column
};

}  // namespace

std::string describe(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::none: return "nothing";
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return node.as_array()->empty() ? "an empty list" : "a list";
    case toml::node_type::string: return "'" + node.as_string()->get() + "'";
    case toml::node_type::integer: return std::to_string(node.as_integer()->get());
    case toml::node_type::floating_point: return "a floating-point number";
    case toml::node_type::boolean: return node.as_boolean()->get() ? "true" : "false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time: return "a date or time";
  }
  return "something else";
}

std::string Messages::text() const {
  auto rows = rows_;
  std::ranges::sort(rows);
  std::string text;
  for (std::size_t i = 0; i < rows.size() && i < most_messages; ++i) {
    const auto& [line, column, what] = rows[i];
    text +=
        (text.empty() ? "" : "\n") + file_ + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + what;
  }
  if (rows.size() > most_messages)
    text += "\n" + file_ + ": and " + std::to_string(rows.size() - most_messages) + " more";
  return text;
}

namespace {

Result<ModelFile> read(std::string_view text, const std::string& file, bool is_whole) {
  Messages messages(file);
  try {
    const toml::parse_result document = toml::parse(text, file);
    if (document.succeeded()) return ModelReader(file, is_whole).read(document.table());
    messages.add(document.error().source(), std::string(document.error().description()));
  } catch (const TomlGaveUp&) {
    messages.add(malformed_header(text), "a table header needs a name: [profile], [[function]]");
  }
  return error(messages.text());
}

}  // namespace

Result<ModelFile> read_models(std::string_view text, const std::string& file) { return read(text, file, true); }

Result<ModelFile> read_part_of_models(std::string_view text, const std::string& file) {
  return read(text, file, false);
}

}  // namespace heddle::api
