// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readable form of a Program, what `heddle ir` shows. For people and golden files; there is no reader for it.
//
//   define void @bump(ptr %0) {                 ; test.c:2:1
//     ; %0 is p: int *
//   entry:
//     %1 = load i32, %0                         ; test.c:3:5
//     return                                    ; test.c:4:1
//   }
//
// The same Program always gives the same text. Locations are full `file:line:column`.
#pragma once
#include <iosfwd>
#include <string>

#include "program/model/program.h"

namespace heddle {

void print_program(std::ostream& out, const Program& program);
void print_function(std::ostream& out, const Program& program, const Function& function);

/// One instruction without its location: `%3 = add nsw i32 %1, 1`.
std::string to_text(const Program& program, const Function& function, const Instruction& instruction);
std::string to_text(const Program& program, const Function& function, Operand operand);

}  // namespace heddle
