// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a scan knows of the accesses of its warnings, in words and typed, worked out of the summaries when asked. The
// stack is one way to the access: down from the function that settles it, and up over the callers that were found to
// hold the fewest locks. Locks are those of every way that the summaries know.
#pragma once
#include <map>
#include <span>

#include "race/docket.h"
#include "race/evidence.h"
#include "scan/cases/lock_orders.h"
#include "scan/cases/lock_places.h"
#include "scan/names/lvalue_text.h"
#include "scan/pairs/candidates.h"
#include "scan/pairs/turns.h"

namespace heddle::scan {

/// The case files of a scan: access numbers are 2 · suspicion, plus one for the second.
race::Docket make_docket(const ScanFacts& facts, const Suspicions& suspicions);

class ScanEvidence : public race::Evidence {
 public:
  ScanEvidence(const ScanFacts& facts, const Suspicions& suspicions);

  std::vector<race::CallStep> stack(const race::Access& access) override;
  std::vector<race::HeldLock> locks(const race::Access& access) override;
  race::Meetings meetings(const race::Warning& warning) override { return orders_.meetings(warning.number); }
  std::string thread_name(const race::Access& access) override;
  std::vector<ReportThread> threads(const race::Access& access) override;
  std::vector<ReportThread> all_threads() override;
  std::string variable_key(const race::Warning& warning) override;
  std::string object_name(const race::Access& access) override;
  std::string why_parallel(const race::Warning& warning) override;
  std::vector<std::string> reasons(const race::Warning& warning) override;
  std::optional<ReportGuard> guard(const race::Warning& warning) override;
  std::vector<race::ConsideredPair> considered(const std::function<bool(const race::Access&)>& is_wanted) override;

 private:
  struct Held {
    LockPlaces::Wanted lock;
    bool is_shared = false;
  };
  /// How a thread comes to an access: asked several times in a row, and long to find.
  struct Way {
    Candidate access;
    std::vector<race::CallStep> stack;
    std::vector<ReportThread> threads;
  };
  [[nodiscard]] const Way& way(const race::Access& access);

  [[nodiscard]] const Candidate& candidate(const race::Access& access) const;
  [[nodiscard]] const Suspicion& suspicion(const race::Warning& warning) const {
    return suspicions_.all[warning.number];
  }
  [[nodiscard]] const std::vector<std::uint32_t>& roots_of(const Candidate& c) const;
  [[nodiscard]] ReportThread thread_of(const Root& root);
  [[nodiscard]] ReportFrame created_at(const Root& root) const;
  void name_roots();
  [[nodiscard]] std::string entries_of(const std::vector<std::uint32_t>& roots);
  [[nodiscard]] std::vector<race::CallStep> way_up(const Candidate& c) const;
  [[nodiscard]] std::vector<race::CallStep> stack_of(const Candidate& c) const;
  [[nodiscard]] std::vector<ReportThread> threads_of(const Candidate& c, std::span<const race::CallStep> stack);
  [[nodiscard]] std::vector<Held> held_at(const Candidate& c);
  void add_kinds(const Candidate& c, std::vector<Held>& out);
  [[nodiscard]] std::string object_name_of(const Candidate& c);
  [[nodiscard]] std::string guard_name(const Suspicion& s);
  [[nodiscard]] std::string why_parallel(const Candidate& a, const Candidate& b);

  const ScanFacts& facts_;
  const Program& program_;
  const std::vector<FunctionSummary>& summaries_;
  const Reach& reach_;
  const LockNames& names_;
  const Suspicions& suspicions_;
  std::map<FunctionId, const Root*> roots_;  ///< by entry
  bool are_roots_named_ = false;
  std::map<FunctionId, std::vector<std::string>> user_names_;  ///< of entries in a library: what they lead to
  std::vector<Node> path_nodes_;
  LvalueText text_;
  LockPlaces lock_places_;
  LockOrders orders_;
  Turns turns_;
  Way last_way_;
  std::vector<Candidate> considered_;  ///< of the last question, numbered behind those of the suspicions
};

}  // namespace heddle::scan
