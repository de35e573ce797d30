// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/access_naming.h"

#include <algorithm>

namespace heddle::race {

void AccessNaming::announce(std::vector<Access> accesses) {
  std::ranges::sort(accesses, {}, key_of);
  for (const Access& access : accesses) (*this)(access);
}

const AccessNaming::Name& AccessNaming::operator()(const Access& access) {
  const auto [at, is_new] = known_.try_emplace(key_of(access));
  if (is_new) at->second = name(access);
  return at->second;
}

void AccessNaming::enter(FunctionId function) {
  if (current_ == function) return;
  current_ = function;
  sites_ = access_sites(program_, program_.functions[function]);
  paths_of_sites_.clear();
  for (const AccessSite& site : sites_) {
    const bool is_call = program_.functions[function].instructions[site.instruction].is_call();
    const AccessPathId path = is_call ? AccessPathId{} : namer_.path_of_site(function, site);
    paths_of_sites_.push_back(!is_call && paths_.is_complete(path) ? path : AccessPathId{});
  }
}

AccessNaming::Name AccessNaming::name(const Access& access) {
  if (program_.functions[access.function].instructions[access.instruction].is_call())
    return {{}, ordinal_of_call(access)};
  enter(access.function);
  const auto is_meant = [&](const AccessSite& site) {
    return site.instruction == access.instruction && writes(site.kind) == writes(access.kind);
  };
  const auto mine = std::ranges::find_if(sites_, is_meant);
  if (mine == sites_.end()) return {};
  const auto index = static_cast<std::size_t>(mine - sites_.begin());
  Name out;
  const AccessPathId path = paths_of_sites_[index];
  if (path) out.path = paths_.print(path);
  for (std::size_t i = 0; i < index; ++i)
    if (paths_of_sites_[i] == path && writes(sites_[i].kind) == writes(mine->kind)) ++out.ordinal;
  return out;
}

/// Accesses that a called library function makes are counted by the calls of that function.
std::uint32_t AccessNaming::ordinal_of_call(const Access& access) const {
  const Function& f = program_.functions[access.function];
  const Operand callee = f.operands_of(f.instructions[access.instruction])[0];
  std::uint32_t ordinal = 0;
  for (std::uint32_t i = 0; i < access.instruction; ++i)
    if (f.instructions[i].is_call() && f.operands_of(f.instructions[i])[0] == callee) ++ordinal;
  return ordinal;
}

}  // namespace heddle::race
