// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NativeSubject: the program in this process, for searches and evidence to run.
#pragma once
#include "explore/executor/subject.h"
#include "explore/native/machine.h"
#include "explore/native/sites.h"

namespace heddle::explore {

struct NativeFacts {
  std::string identity;
  MemoryOrders orders = MemoryOrders::SequentiallyConsistent;
};

class NativeSubject final : public Subject {
 public:
  NativeSubject(Machine& machine, const Sites& sites, NativeFacts facts)
      : machine_(machine), sites_(sites), facts_(std::move(facts)) {}

  [[nodiscard]] std::unique_ptr<Executor> for_search(const ExecutionLimits& limits) const override;
  [[nodiscard]] std::unique_ptr<Executor> for_run(const RunLimits& limits, Inputs& inputs) const override;
  [[nodiscard]] std::unique_ptr<Executor> for_replay(const ReplayLimits& limits, Inputs& inputs) const override;

  [[nodiscard]] std::string identity() const override { return facts_.identity; }
  [[nodiscard]] std::vector<std::uint64_t> candidate_values() const override { return {0, 1, ~std::uint64_t{0}}; }
  [[nodiscard]] MemoryOrders memory_orders() const override { return facts_.orders; }
  [[nodiscard]] std::set<std::string> open_ends() const override { return {}; }
  [[nodiscard]] std::set<std::string> assumptions() const override { return {"this-input"}; }
  [[nodiscard]] std::string where(AccessKey key) const override { return sites_.where(key); }

 private:
  Machine& machine_;
  const Sites& sites_;
  NativeFacts facts_;
};

}  // namespace heddle::explore
