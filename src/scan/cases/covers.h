// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which suspected races stand under others (CAV07 §4, stage II). Of a thread that comes to e2 only by way of e1, and
// holds at e1 no lock that it does not hold at e2, whoever races with e2 races with e1 as well:
//
//   lock(m); x = 0; lock(n); unlock(n); x = 2; unlock(m); lock(m); x = 1;        e against the third is covered by e
//                                                                                against the first
//
// With histories (Definition 9), what was acquired since each lock at e1 has to be acquired at e2, too; without
// (Definition 5), the second above would cover the third, and it may be bogus. A warning is covered by a *set*: on
// every way back from e2 the nearest of them. Nothing is dropped: a covered warning stands behind those that cover it,
// and where it belongs by itself when one of these is refuted. The claim is one of nested locks.
//
// Both accesses have to be in one function, to one place that has a name there. Cost: the functions with several
// suspected races are executed once more.
#pragma once
#include <cstdint>
#include <vector>

#include "race/docket.h"
#include "scan/pairs/candidates.h"

namespace heddle::scan {

enum class CoverBy : std::uint8_t { History, Lockset, Nothing };

/// For each suspicion those that cover it; none if it stands for itself.
using Covers = std::vector<std::vector<std::uint32_t>>;

Covers find_covers(const ScanFacts& facts, const Suspicions& suspicions, CoverBy by);

/// Puts covered cases behind those that cover them, as far as none of these was refuted. Cases of a scan.
void place_covered(race::Docket& docket, const Covers& covers);

}  // namespace heddle::scan
