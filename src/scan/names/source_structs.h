// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <vector>

#include "program/model/program.h"

namespace heddle::scan {

/// The source struct of every machine struct that address arithmetic of the program names (StructIndex), found once for
/// all workers.
class SourceStructs {
 public:
  explicit SourceStructs(const Program& program);
  /// Of a struct, or of an array of them; none for other types.
  [[nodiscard]] TypeId of(TypeId machine) const { return machine ? by_type_[machine.index()] : TypeId{}; }

 private:
  std::vector<TypeId> by_type_;
};

}  // namespace heddle::scan
