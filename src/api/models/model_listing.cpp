// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/models/model_listing.h"

#include <algorithm>
#include <ostream>
#include <set>

#include "api/reader/effect_schema.h"
#include "api/reader/result_text.h"
#include "program/model/used_functions.h"

namespace heddle::api {
namespace {

// Mangled C++ names are long; they push their own row aside, not all others.
constexpr std::size_t widest_name = 32;

}  // namespace

ModelListing describe_model(const Model& model) {
  ModelListing row{model.name, "", model.file};
  for (const Effect& effect : model.effects) row.effects += (row.effects.empty() ? "" : "; ") + to_text(effect);
  if (row.effects.empty()) row.effects = "no effect";
  if (model.result.is_said) row.effects += "; result " + to_text(model.result);
  return row;
}

std::vector<ModelListing> list_models(const ApiModels& models) {
  std::vector<ModelListing> rows;
  for (const Model* model : models.all()) rows.push_back(describe_model(*model));
  return rows;
}

void print_models(std::ostream& out, const ApiModels& models) {
  const std::vector<ModelListing> rows = list_models(models);
  std::size_t width = 0;
  for (const ModelListing& row : rows) width = std::max(width, std::min(row.name.size(), widest_name));
  for (const ModelListing& row : rows) {
    const std::size_t blanks = row.name.size() < width ? width - row.name.size() : 0;
    out << row.name << std::string(blanks, ' ') << "  " << row.effects << "  (" << row.file << ")\n";
  }
}

void print_entries(std::ostream& out, const ApiModels& models) {
  for (const EntryRule& rule : models.entries()) {
    out << "entry, " << to_text(rule.context) << ": ";
    switch (rule.kind) {
      case EntryRule::Kind::Function: out << "functions called "; break;
      case EntryRule::Kind::Member: out << "functions stored in a "; break;
      case EntryRule::Kind::Global: out << "functions whose address lies in "; break;
      case EntryRule::Kind::VectorTable: out << "functions in the vector table "; break;
      case EntryRule::Kind::VectorSection: out << "functions in vector tables of section "; break;
      case EntryRule::Kind::Uncalled: out << "functions that nobody in the program uses, called "; break;
    }
    out << rule.name;
    for (const std::string& member : rule.members) out << (&member == rule.members.data() ? "." : ", .") << member;
    out << "  (" << rule.file << ")\n";
  }
}

std::vector<std::string> unexplained_calls(const Program& program, const ApiModels& models) {
  const UsedFunctions used(program);
  std::set<std::string> names;
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const Function& function = program.functions[FunctionId(i)];
    if (!function.has_body() && used.contains(FunctionId(i)) && models.find(function.name) == nullptr)
      names.emplace(function.name);
  }
  return {names.begin(), names.end()};
}

}  // namespace heddle::api
