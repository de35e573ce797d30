// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/hook_names.h"

#include <utility>

namespace heddle::instrument {

void HookNames::enter(FunctionId function) {
  function_ = function;
  sites_ = access_sites(program_, program_.functions[function]);
  names_ = access_names(program_, function);
  calls_.emplace(program_, function);
}

AccessRow HookNames::row_of(std::string_view name, std::size_t instruction, std::string kind) const {
  const Function& f = program_.functions[function_];
  AccessRow row{.number = access_number(name), .kind = std::move(kind), .function = std::string(f.shown_name())};
  if (const LocationId at = f.instructions[instruction].location) {
    const Location& place = program_.locations[at];
    if (place.file) row.file = program_.files[place.file].path;
    row.line = place.line;
    row.column = place.column;
  }
  return row;
}

std::uint64_t HookNames::of_site(std::size_t site) {
  const AccessSite& s = sites_[site];
  AccessRow row = row_of(names_[site], s.instruction, std::string(to_text(s.kind)));
  if (const AccessPathId path = namer_.path_of_site(function_, s); paths_.is_complete(path))
    row.path = paths_.print(path);
  const std::uint64_t number = row.number;
  table_.add(std::move(row));
  return number;
}

std::uint64_t HookNames::of_call(std::size_t call, AccessKind kind, const Operand* object) {
  AccessRow row = row_of(calls_->of(call, kind), call, "call-" + std::string(to_text(without_updates(kind))));
  AccessRow& known = of_calls_.try_emplace(row.number, std::move(row)).first->second;
  if (object != nullptr)
    if (const AccessPathId path = namer_.path_of_value(function_, *object); paths_.is_complete(path)) {
      const std::string text = paths_.print(path);
      if ((", " + known.path + ",").find(", " + text + ",") == std::string::npos)
        known.path += (known.path.empty() ? "" : ", ") + text;
    }
  return known.number;
}

std::uint64_t HookNames::of_frame(std::size_t instruction) {
  AccessRow row = row_of(calls_->of(instruction, AccessKind::Free) + "-frame", instruction, "call-free");
  const std::uint64_t number = row.number;
  of_calls_.try_emplace(number, std::move(row));
  return number;
}

void HookNames::leave() {
  for (auto& [number, row] : of_calls_) table_.add(std::move(row));
  of_calls_.clear();
}

}  // namespace heddle::instrument
