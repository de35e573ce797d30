// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/assumptions.h"

#include <algorithm>

namespace heddle::scan {

bool Assumptions::drop(std::string_view name) {
  const auto at = std::ranges::find(assumption_names, name, &AssumptionName::name);
  if (at == assumption_names.end()) return false;
  this->*at->is_on = false;
  return true;
}

Assumptions Assumptions::none() {
  Assumptions out;
  for (const AssumptionName& row : assumption_names) out.*row.is_on = false;
  return out;
}

std::vector<std::string> Assumptions::names() const {
  std::vector<std::string> out;
  for (const AssumptionName& row : assumption_names)
    if (this->*row.is_on) out.emplace_back(row.name);
  return out;
}

}  // namespace heddle::scan
