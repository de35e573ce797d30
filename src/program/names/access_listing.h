// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle ir --accesses`: every access of a Program with the path it was given and its stable name, and how many of the
// paths are complete.
//
//   ring.c:41:12: write 4 bytes  r->slots[i].len   [ring_put@ring.c:41:12:write:0]
//   17 accesses, 17 named (100.0 %)
#pragma once
#include <cstddef>
#include <iosfwd>

#include "program/model/program.h"

namespace heddle {

struct AccessNamingStats {
  std::size_t total = 0;
  std::size_t complete = 0;              ///< AccessPathTable::is_complete
  [[nodiscard]] double percent() const;  ///< in tenths, rounded down: 100 means all
};

AccessNamingStats measure_access_naming(const Program& program);
void print_accesses(std::ostream& out, const Program& program);

}  // namespace heddle
