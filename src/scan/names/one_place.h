// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two bytes of declared types can be one byte of memory: they have the same type there, or what one of them is
// lies inside the other.
//
//   (struct conn, offset of lock) and (struct conn, offset of lock)     yes
//   (struct conn, offset of lock) and (pthread_mutex_t, 0)              yes: a pointer to the mutex itself
//   (struct conn, offset of lock) and (struct server, offset of lock)   no, unless one contains the other
//   (struct conn, offset of lock) and (void, 0), (char, 0)              yes: nothing is known
//
// Of an object whose name is known, the type is that of all of it: what a pointer to a struct leads to is no variable
// that is a mutex and nothing else (`is_whole`).
//
// Sound as far as memory is used by its declared types (assumption `typed-memory`). Structs of two units are the same
// if they have the same name and size; without a name, the same size. Elements of an array are each other.
#pragma once
#include <cstdint>
#include <span>

#include "program/model/program.h"
#include "scan/names/lvalue.h"

namespace heddle::scan {

struct TypedByte {
  TypeId type;  ///< none: not known
  std::int64_t offset = 0;
  bool is_whole = false;  ///< a variable of that type, not a pointer to it
};

/// What is declared there.
[[nodiscard]] TypedByte typed_byte(std::span<const Node> nodes, Lvalue where);

[[nodiscard]] bool may_be_one_place(const Program& program, TypedByte a, TypedByte b);

}  // namespace heddle::scan
