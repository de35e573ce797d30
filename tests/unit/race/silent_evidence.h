// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "race/evidence.h"

namespace heddle::race {

/// Evidence of a driver that knows nothing; tests override what they need.
class SilentEvidence : public Evidence {
 public:
  std::vector<CallStep> stack(const Access& access) override { return {{access.function, access.instruction}}; }
  std::vector<HeldLock> locks(const Access&) override { return {}; }
  std::string thread_name(const Access&) override { return "main"; }
  std::vector<ReportThread> threads(const Access&) override { return {{"main"}}; }
  std::string object_name(const Access&) override { return "object"; }
  std::string why_parallel(const Warning&) override { return "they may"; }
  std::vector<std::string> reasons(const Warning&) override { return {"no lock"}; }
  std::vector<ConsideredPair> considered(const std::function<bool(const Access&)>&) override { return {}; }
};

}  // namespace heddle::race
