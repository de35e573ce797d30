// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>

#include "program/model/program.h"

namespace heddle {

/// A type for people: machine types as `i32`, `ptr`, `[4 x i8]`, `{i32, i1}`; source types as C writes them without a
/// declarator: `int`, `struct list_head *`, `char[16]`, `int (*)(void *)`. `<none>` for no type.
std::string type_text(const Program& program, TypeId type);

/// `struct s`, `union u`, or the bare name of a C++ class template or nested class; `struct {…}` if anonymous.
std::string tag_text(const Type& type);

}  // namespace heddle
