// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string_view>

#include "program/model/instruction.h"

namespace heddle {

std::string_view to_text(Opcode opcode);
std::string_view to_text(BinaryOp op);
std::string_view to_text(Predicate predicate);
std::string_view to_text(CastOp op);
std::string_view to_text(RmwOp op);
std::string_view to_text(AtomicOrder order);

}  // namespace heddle
