// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "base/id.h"

namespace heddle {

struct Type;
using TypeId = Id<Type>;

/// One table holds both kinds of types a program has: the machine types of instructions (`i32`, `ptr`, `{i32, i1}`)
/// and the source types that debug information describes (`struct list_head` with its member names). Machine types have
/// no names; source types name their members and know what a pointer points to.
enum class TypeKind : std::uint8_t {
  Void,
  Int,      ///< `size_bits` wide; `is_signed` known for source types only
  Float,    ///< half, float, double, x86_fp80 (80 bits in `value_bits`), fp128; `name` says bfloat and ppc_fp128
  Pointer,  ///< `element` is the pointee, none for machine pointers and `void *`
  Array,    ///< `count` times `element`; count 0 for flexible members
  Vector,   ///< SIMD
  Struct,   ///< also C++ classes; base classes are fields with `is_base`
  Union,
  Function,  ///< `element` is the result, `parameters` the rest
  Other,     ///< labels, tokens, opaque
};

struct Field {
  std::string_view name;  ///< empty for machine types, anonymous members and padding
  TypeId type;
  std::uint64_t offset_bits = 0;
  std::uint64_t size_bits = 0;
  bool is_bitfield = false;
  bool is_base = false;
};

struct Type {
  TypeKind kind = TypeKind::Void;
  bool is_source = false;  ///< from debug information
  bool is_signed = false;
  bool is_reference = false;     ///< C++ `&` and `&&`: printed without the `*`
  bool is_vararg = false;        ///< functions
  std::string_view name;         ///< tag or spelling: `list_head`, `int`, `std::mutex`; empty if anonymous
  std::uint64_t size_bits = 0;   ///< storage, as in sizeof * 8
  std::uint64_t value_bits = 0;  ///< Int and Float: significant bits (i1 has 1, stored in 8)
  std::uint64_t align_bits = 0;
  TypeId element;
  std::uint64_t count = 0;
  std::span<const Field> fields;
  std::span<const TypeId> parameters;

  [[nodiscard]] std::uint64_t size_bytes() const { return (size_bits + 7) / 8; }
};

}  // namespace heddle
