// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge `transaction` (TACAS09): two accesses that no lock keeps apart may still never be next at once, for reasons
// of values and of order.
//
//   Alloc: if (count >= LIMIT) wait; else { … sh = 5; count++ }     Dealloc: if (count == LIMIT) { sh = 2; count--; }
//
// It builds a model of the program (build_model.h), finds invariants over its transaction graph (look.h, settle.h), and
// has each refutation checked by src/proof/. A program that has no model, or too large a graph, gets no opinion.
#pragma once
#include "api/models/api_models.h"
#include "judge/transaction/look.h"
#include "race/judge.h"

namespace heddle::judge {

struct TransactionOptions {
  transaction::LookOptions look = {};
  std::set<std::string> without;  ///< assumptions that no proof may use
  bool declared_arrays = false;   ///< may assume `pointer-arithmetic`
  /// The docket has every pair that is not kept apart in every execution, unless an obstacle says otherwise.
  bool has_all_pairs = false;
};

class TransactionJudge : public race::Judge {
 public:
  TransactionJudge(const Program& program, const api::ApiModels& models, FunctionId main, TransactionOptions options)
      : program_(program), models_(models), main_(main), options_(std::move(options)) {}

  [[nodiscard]] std::string_view name() const override { return "transaction"; }
  void judge(race::Docket& docket, race::Evidence& evidence) override;

 private:
  const Program& program_;
  const api::ApiModels& models_;
  FunctionId main_;
  TransactionOptions options_;
};

}  // namespace heddle::judge
