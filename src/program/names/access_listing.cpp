// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_listing.h"

#include <iomanip>
#include <ostream>

#include "program/names/access_name.h"
#include "program/names/access_path_namer.h"

namespace heddle {
namespace {

std::string kind_text(const AccessSite& site) {
  std::string out = site.is_volatile ? "volatile " : "";
  if (site.is_atomic) out += "atomic ";
  out += to_text(site.kind);
  return out + (site.size ? " " + std::to_string(*site.size) + " bytes" : "");
}

template <class Visit>
AccessNamingStats for_each_access(const Program& program, Visit visit) {
  AccessNamingStats stats;
  AccessPathTable table;
  AccessPathNamer namer(program, table);
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const std::vector<AccessSite> sites = access_sites(program, program.functions[FunctionId(f)]);
    for (std::size_t s = 0; s < sites.size(); ++s) {
      const AccessPathId path = namer.path_of_site(FunctionId(f), sites[s]);
      ++stats.total;
      if (table.is_complete(path)) ++stats.complete;
      visit(FunctionId(f), s, sites[s], table, path);
    }
  }
  return stats;
}

}  // namespace

double AccessNamingStats::percent() const {
  return total == 0 ? 100.0 : static_cast<double>(complete * 1000 / total) / 10;
}

AccessNamingStats measure_access_naming(const Program& program) {
  return for_each_access(program,
                         [](FunctionId, std::size_t, const AccessSite&, const AccessPathTable&, AccessPathId) {});
}

void print_accesses(std::ostream& out, const Program& program) {
  FunctionId current;
  std::vector<std::string> names;
  const auto print_one = [&](FunctionId f, std::size_t s, const AccessSite& site, const AccessPathTable& table,
                             AccessPathId path) {
    if (f != current) names = access_names(program, f);
    current = f;
    const Instruction& i = program.functions[f].instructions[site.instruction];
    out << program.where(i.location) << ": " << kind_text(site) << "  " << table.print(path)
        << (table.is_complete(path) ? "" : " (incomplete)") << "   [" << names[s] << "]\n";
  };
  const AccessNamingStats stats = for_each_access(program, print_one);
  out << stats.total << " accesses, " << stats.complete << " named (" << std::fixed << std::setprecision(1)
      << stats.percent() << " %)\n";
}

}  // namespace heddle
