// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a lock that is held at an access was taken. Summaries do not keep it: the functions on the stack are looked at
// once more, only for the warnings of the report.
//
//   void f(void) { lock(&m); g(); }     void g(void) { x++; }        `m` of x++ was taken in f, line 1
//
// It is the last place in front of the call or access that takes a lock of that name, or of the same member of the same
// struct: a guess where several ways lead there, so it is shown and decides nothing.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scan/names/lvalue_text.h"
#include "scan/summarise/summarise.h"

namespace heddle::scan {

class LockPlaces {
 public:
  LockPlaces(const ScanInput& input, const std::vector<FunctionSummary>& summaries)
      : summariser_(input, summaries), text_(input.program) {}

  struct Wanted {
    std::string name;
    TypeId type = {};  ///< of the memory it lies in
    std::int32_t offset = 0;
  };
  /// The instruction of `function` in front of `before` that takes the lock.
  std::optional<std::uint32_t> find(FunctionId function, std::uint32_t before, const Wanted& lock);

 private:
  struct Row {
    std::uint32_t instruction = 0;
    Wanted lock;
  };
  const std::vector<Row>& rows_of(FunctionId function);

  Summariser summariser_;
  LvalueText text_;
  std::map<FunctionId, std::vector<Row>> rows_;
};

}  // namespace heddle::scan
