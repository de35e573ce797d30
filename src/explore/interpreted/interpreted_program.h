// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Program as something that can be run: on the interpreter.
//
//   const InterpretedProgram subject(program, models);
//   const ExhaustResult all = prove_by_exhaustion(subject, {});
#pragma once
#include "api/models/api_models.h"
#include "explore/executor/subject.h"
#include "explore/interpreted/consumed_values.h"
#include "program/model/program.h"

namespace heddle::explore {

struct OrderRules;

class InterpretedProgram final : public Subject {
 public:
  /// Both must outlive it and its executors.
  InterpretedProgram(const Program& program, const api::ApiModels& models);

  [[nodiscard]] std::unique_ptr<Executor> for_search(const ExecutionLimits& limits) const override;
  [[nodiscard]] std::unique_ptr<Executor> for_run(const RunLimits& limits, Inputs& inputs) const override;
  [[nodiscard]] std::unique_ptr<Executor> for_replay(const ReplayLimits& limits, Inputs& inputs) const override;
  [[nodiscard]] std::string identity() const override { return identity_; }
  [[nodiscard]] std::vector<std::uint64_t> candidate_values() const override;
  [[nodiscard]] MemoryOrders memory_orders() const override { return orders_; }
  [[nodiscard]] std::set<std::string> open_ends() const override;
  [[nodiscard]] std::set<std::string> assumptions() const override;
  [[nodiscard]] std::string where(AccessKey key) const override;

 private:
  [[nodiscard]] OrderRules rules() const;

  const Program& program_;
  const api::ApiModels& models_;
  std::string identity_;
  MemoryOrders orders_;
  ConsumedValues consumed_;
};

}  // namespace heddle::explore
