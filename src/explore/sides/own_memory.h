// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OwnMemory: local variables whose address no other thread can get.
//
//   char* name; get(&queue, &name);      get stores through its second parameter and does nothing else with it: `name`
//                                        is its thread's own, and so is what `get` accesses there
//
// An address may be accessed through, compared, and handed to functions that do no more; one that is stored, returned,
// made a number or handed to anybody else is let out. A parameter is own memory if every call passes such memory, and
// nobody can call the function unseen. Cost: rounds over the program until nothing changes, usually three or four.
#pragma once
#include <vector>

#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::explore {

class OwnMemory {
 public:
  OwnMemory(const Program& program, const api::ApiModels& models);

  /// The operand leads to a local variable of its thread that no other one knows.
  [[nodiscard]] bool holds(FunctionId function, Operand address) const {
    return address.is_value() && own_[function.index()][address.index()];
  }

 private:
  class Look;
  [[nodiscard]] bool only_touches(FunctionId callee) const;

  const Program& program_;
  const api::ApiModels& models_;
  std::vector<std::vector<bool>> own_;   ///< by function and value
  std::vector<std::vector<bool>> kept_;  ///< by function and value: an address that is not let out
};

}  // namespace heddle::explore
