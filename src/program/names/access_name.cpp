// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_name.h"

#include <map>

#include "base/check.h"
#include "program/model/function_hash.h"

namespace heddle {

std::vector<std::string> stable_access_names(const Program& program, FunctionId function) {
  const Function& f = program.functions[function];
  const ContentHash hash = f.hash == ContentHash{} ? function_hash(program, f) : f.hash;
  const std::string prefix = hash.hex() + ":";
  std::map<std::string, std::size_t> seen;
  std::vector<std::string> names;
  for (const AccessSite& site : access_sites(program, f)) {
    std::string place = prefix + program.where(f.instructions[site.instruction].location) + ":";
    place += to_text(site.kind);
    const std::size_t ordinal = seen[place]++;
    names.push_back(place + ":" + std::to_string(ordinal));
  }
  return names;
}

std::string stable_access_name(const Program& program, FunctionId function, std::size_t instruction) {
  const std::vector<AccessSite> sites = access_sites(program, program.functions[function]);
  const std::vector<std::string> names = stable_access_names(program, function);
  for (std::size_t i = 0; i < sites.size(); ++i)
    if (sites[i].instruction == instruction) return names[i];
  fail_check("instruction", "is not an access");
}

}  // namespace heddle
