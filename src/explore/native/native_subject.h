// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NativeSubject: the program in this process, for searches and evidence to run.
#pragma once
#include "explore/executor/subject.h"
#include "explore/native/machine.h"
#include "explore/native/native_sides.h"
#include "program/names/access_table.h"

namespace heddle::explore {

class NativeSubject final : public Subject {
 public:
  /// `code`: null if nothing is known of what it does not run.
  NativeSubject(Machine& machine, const AccessTable& table, const NativeCode* code, std::string identity)
      : machine_(machine), table_(table), code_(code), identity_(std::move(identity)) {}

  [[nodiscard]] std::unique_ptr<Executor> for_search(const ExecutionLimits& limits) const override;
  [[nodiscard]] std::unique_ptr<Executor> for_run(const RunLimits& limits, Inputs& inputs) const override;
  [[nodiscard]] std::unique_ptr<Executor> for_replay(const ReplayLimits& limits, Inputs& inputs) const override;
  [[nodiscard]] std::unique_ptr<Executor> for_approach(const ReplayLimits& limits, Inputs& inputs,
                                                       const AccessPair& accesses) const override;

  [[nodiscard]] std::string identity() const override { return identity_; }
  [[nodiscard]] std::vector<std::uint64_t> candidate_values() const override { return {0, 1, ~std::uint64_t{0}}; }
  [[nodiscard]] MemoryOrders memory_orders() const override {
    return machine_.saw_weak() ? MemoryOrders::AsWritten : MemoryOrders::SequentiallyConsistent;
  }
  [[nodiscard]] std::set<std::string> open_ends() const override { return {}; }
  [[nodiscard]] std::set<std::string> assumptions() const override { return {"this-input"}; }
  [[nodiscard]] std::string where(AccessKey key) const override;

 private:
  Machine& machine_;
  const AccessTable& table_;
  const NativeCode* code_;
  std::string identity_;
};

}  // namespace heddle::explore
