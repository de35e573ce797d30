// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a model proofs are looked for: in the whole of it; if that is too much, for each pair in slices (slice.h) as
// two of the threads see them (seen_by_two.h); then in slices with all threads.
#pragma once
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "judge/transaction/settle.h"

namespace heddle::judge::transaction {

struct LookOptions {
  std::uint64_t effort = 20'000;               ///< steps of threads in graphs, for all pairs at once
  std::uint64_t effort_of_slice = 30'000;      ///< the same, for one pair in one slice
  std::uint64_t effort_of_slices = 3'000'000;  ///< for all pairs in all of theirs
  std::size_t most_shared = 48;
};

/// Each execution of the program is one of some part's model, and no part lets a pair meet.
struct Finding {
  struct Part {
    std::shared_ptr<const Model> model;
    Annotation annotation;
  };
  std::vector<Part> parts;
  std::set<PlacePair> apart;
};

struct Findings {
  std::vector<Finding> found;
  std::string why_not_more;
};

/// `raw`: a model that is not finished.
[[nodiscard]] Findings look(const Model& raw, const std::set<PlacePair>& asked, const LookOptions& options);

}  // namespace heddle::judge::transaction
