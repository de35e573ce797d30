// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PairDoubts: what speaks for and against two accesses that nothing separates (rank_reasons.h), and so the place of
// their warning in the list. It drops nothing.
#pragma once
#include "scan/objects/given_objects.h"
#include "scan/objects/library_objects.h"
#include "scan/objects/taken_objects.h"
#include "scan/pairs/bucket_groups.h"
#include "scan/pairs/candidates.h"
#include "scan/pairs/guard.h"
#include "scan/pairs/team_doubts.h"
#include "scan/reach/signals.h"

namespace heddle::scan {

/// What all pairs of a variable have in common.
struct BucketFacts {
  BucketKey key;
  Guard guard;
  bool is_large = false;  ///< only a large class of pointers connects its accesses
};

class PairDoubts {
 public:
  explicit PairDoubts(const ScanFacts& scanned)
      : scanned_(scanned),
        teams_(scanned.input),
        taken_(scanned.input, scanned.summaries, scanned.reach),
        given_(scanned.input, scanned.summaries, scanned.reach, taken_),
        libraries_(scanned.input, scanned.summaries, taken_),
        signals_(scanned.input, scanned.summaries, scanned.reach, scanned.names) {}

  /// An access of each group, in any order: of the suspicion the first is a write.
  Suspicion suspicion(const BucketFacts& bucket, const MemberGroup& a, const MemberGroup& b, const Candidate& of_a,
                      const Candidate& of_b);

 private:
  struct Pair {
    const MemberGroup& x;
    const MemberGroup& y;
    const Candidate& first;
    const Candidate& second;
  };
  std::vector<Doubt> doubts_of(const BucketFacts& bucket, const Pair& pair);
  void add_memory_doubts(const Pair& pair, std::vector<Doubt>& out) const;
  void add_given_doubts(const Pair& pair, const Guard& guard, std::vector<Doubt>& out);
  void add_team_doubts(const Pair& pair, std::vector<Doubt>& out);
  void weigh(Suspicion& s, const BucketFacts& bucket, const Pair& pair) const;

  [[nodiscard]] const OwnAccess& own(const Candidate& c) const { return own_access(scanned_.summaries, c); }
  [[nodiscard]] const Visit& visit(const Candidate& c) const {
    return scanned_.reach.visits[c.holder.index()][static_cast<std::size_t>(c.phase)];
  }
  [[nodiscard]] const Root* only_root_of(const MemberGroup& x, const MemberGroup& y) const;
  [[nodiscard]] bool go_by_argument(const Root& root, const Candidate& first, const Candidate& second) const;
  [[nodiscard]] bool comes_once(const Candidate& c) const;
  [[nodiscard]] bool is_signalled(const Candidate& a, const Candidate& b);
  [[nodiscard]] bool is_called_once(const MemberGroup& once, const MemberGroup& other) const;
  [[nodiscard]] bool is_early(const Candidate& c) const;
  [[nodiscard]] bool is_dying(const Candidate& c);
  [[nodiscard]] bool is_last(const Candidate& c) const;
  [[nodiscard]] bool is_doubtful(const Candidate& c) const;

  const ScanFacts& scanned_;
  TeamDoubts teams_;
  TakenObjects taken_;
  GivenObjects given_;
  LibraryObjects libraries_;
  Signals signals_;
};

}  // namespace heddle::scan
