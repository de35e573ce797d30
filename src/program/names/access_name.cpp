// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_name.h"

#include <map>

#include "base/check.h"
#include "base/content_hash.h"

namespace heddle {
namespace {

std::string function_and_place(const Program& program, const Function& function, std::size_t instruction) {
  return std::string(function.shown_name()) + "@" + program.where(function.instructions[instruction].location) + ":";
}

}  // namespace

std::vector<std::string> access_names(const Program& program, FunctionId function) {
  const Function& f = program.functions[function];
  std::map<std::string, std::size_t> seen;
  std::vector<std::string> names;
  for (const AccessSite& site : access_sites(program, f)) {
    std::string place = function_and_place(program, f, site.instruction);
    place += to_text(site.kind);
    const std::size_t ordinal = seen[place]++;
    names.push_back(place + ":" + std::to_string(ordinal));
  }
  return names;
}

std::string access_name(const Program& program, FunctionId function, std::size_t instruction, AccessKind kind) {
  const Function& f = program.functions[function];
  const std::vector<AccessSite> sites = access_sites(program, f);
  for (std::size_t i = 0; i < sites.size(); ++i)
    if (sites[i].instruction == instruction && without_updates(sites[i].kind) == without_updates(kind))
      return access_names(program, function)[i];
  HEDDLE_CHECK(f.instructions[instruction].is_call(), "the instruction makes no access of that kind");
  return CallNames(program, function).of(instruction, kind);
}

CallNames::CallNames(const Program& program, FunctionId function)
    : program_(program), function_(program.functions[function]), ordinals_(function_.instructions.size()) {
  std::map<LocationId, std::uint32_t> seen;
  for (std::size_t i = 0; i < ordinals_.size(); ++i)
    if (function_.instructions[i].is_call()) ordinals_[i] = seen[function_.instructions[i].location]++;
}

/// What a called library function touches is told apart by the call: `call-write:1` is of the second call there.
std::string CallNames::of(std::size_t call, AccessKind kind) const {
  return function_and_place(program_, function_, call) + "call-" + std::string(to_text(without_updates(kind))) + ":" +
         std::to_string(ordinals_[call]);
}

std::uint64_t access_number(std::string_view name) { return Hasher().add(name).finish().low; }

}  // namespace heddle
