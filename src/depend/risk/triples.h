// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triples: two accesses of one run of an entry to the same information, and one of an entry that can interrupt it
// between them, in an order that no run without interruption has:
//
//   R-W-R  the two reads find different values       W-W-R  it does not read what it wrote
//   R-W-W  it writes what it made of an old value    W-R-W  the other one sees something half done
//
//   task:  50: if (speed > limit)      interrupt:  65: speed = raw;       speed<R#50>,<W#65>,<R#55>
//          55:     slow_down(speed);
//
// Two variables that hold the same information (`redundant` in heddle.toml) count as one, for two reads or two writes.
// Between the two accesses the interrupting entry must not be masked all the time, and conditions must not rule the way
// from the first to the second out, or the access between them (feasibility.h).
#pragma once
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "depend/access/access_facts.h"
#include "depend/risk/ways.h"

namespace heddle::depend {

struct Triple {
  std::size_t entry = 0, interrupter = 0;  ///< in System::entries()
  Access first, between, second;
  bool first_writes = false, between_writes = false, second_writes = false;
  std::string first_name = {}, second_name = {};  ///< of two variables that hold the same information; empty: of one
  Way way = {};                                   ///< one on which the interruption may come
  bool is_in_steps = false;  ///< the two are parts of one access that the processor makes in several steps

  [[nodiscard]] bool is_pair() const { return !first_name.empty(); }
};

struct Triples {
  std::vector<Triple> all;  ///< by variable, then by lines
  std::size_t cut = 0;      ///< variables with more triples than are looked for
};

struct TripleOptions {
  bool tells_accesses_apart = false;                     ///< several of the same three lines are several triples
  bool knows_synchronisation = true;                     ///< false: no mask and no condition rules anything out
  std::optional<std::set<GlobalId>> only = {};           ///< triples of these variables
  std::vector<std::pair<GlobalId, GlobalId>> same = {};  ///< hold the same information, besides `redundant`
};

/// The facts remember what they are asked.
Triples find_triples(AccessFacts& facts, const TripleOptions& options = {});

/// `speed<R#50>,<W#65>,<R#55>`; of two variables that hold the same information `speed/copy<R#50>,…`.
std::string to_text(const Program& program, const Triple& triple);

}  // namespace heddle::depend
