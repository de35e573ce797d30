// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/link.h"

namespace heddle {

Result<Linked> link(std::vector<Program> units) {
  if (units.size() != 1) return error("error: linking several units is not built yet");
  return Linked{std::move(units.front()), {}};
}

}  // namespace heddle
