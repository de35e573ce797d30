// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the top-down driver knows of the accesses of its warnings. Everything is exact for the calling context of the
// access: the stack is the call string, and the locks are held on every path of that context.
#pragma once
#include <map>
#include <tuple>

#include "race/evidence.h"
#include "topdown/transfer/top_down.h"

namespace heddle::topdown {

/// The two accesses by their numbers, the one that writes first.
race::Warning warning_of(const TopDownResult& result, std::uint32_t a, std::uint32_t b);

/// Where in its object the variable begins that the access is to: all members of an array are one.
std::int64_t offset_of_variable(const GuardedAccess& access);

class TopDownEvidence : public race::Evidence {
 public:
  TopDownEvidence(const Program& program, const TopDownResult& result);

  std::vector<race::CallStep> stack(const race::Access& access) override;
  std::vector<race::HeldLock> locks(const race::Access& access) override;
  race::Meetings meetings(const race::Warning& warning) override;
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
  [[nodiscard]] const GuardedAccess& guarded(const race::Access& access) const {
    return result_.accesses[access.number];
  }
  [[nodiscard]] ReportThread thread_of(ThreadId thread) const;
  [[nodiscard]] std::vector<race::CallStep> stack_of(ContextId context, std::uint32_t instruction) const;
  void group_by_variable();
  /// Every access that the place of this one stands for, by numbers.
  const std::vector<std::uint32_t>& at_place(const race::Access& access);
  [[nodiscard]] std::optional<ReportGuard> guard_of(const std::vector<std::uint32_t>& accesses) const;
  [[nodiscard]] std::string key_of(const GuardedAccess& access) const;
  [[nodiscard]] std::string lock_name(const HeldLock& lock) const;
  struct OrderClaim;
  [[nodiscard]] race::Meeting meeting_of(const GuardedAccess& a, const GuardedAccess& b) const;
  [[nodiscard]] race::ConsideredPair considered_pair(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::string common_lock(const GuardedAccess& a, const GuardedAccess& b) const;

  const Program& program_;
  const TopDownResult& result_;
  std::map<std::string, std::optional<ReportGuard>> guards_;
  std::map<std::string, std::vector<std::uint32_t>> by_variable_;  ///< numbers of accesses, when they were asked for
  std::map<std::tuple<FunctionId, std::uint32_t, AccessKind>, std::vector<std::uint32_t>> by_place_;  ///< likewise
};

}  // namespace heddle::topdown
