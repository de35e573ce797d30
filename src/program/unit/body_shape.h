// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the writer and the reader of bodies share; see unit_bodies.h.
#pragma once
#include <algorithm>
#include <compare>

#include "program/model/program.h"
#include "program/unit/columns.h"

namespace heddle {

/// An instruction without its place and the indices of its operands.
struct Shape {
  static constexpr std::size_t kinds_kept = 4;  ///< further operands tell their kind in a column

  Opcode opcode = Opcode::Unsupported;
  AtomicOrder order = AtomicOrder::NotAtomic;
  std::uint8_t detail = 0;
  std::uint8_t flags = 0;
  TypeId type;
  TypeId access_type;
  std::uint32_t operand_count = 0;
  std::uint32_t kinds = 0;  ///< of the first operands, four bits each
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

struct ShapeHash {
  std::size_t operator()(const Shape& s) const {
    std::uint64_t h = static_cast<std::uint64_t>(s.opcode) | std::uint64_t{s.detail} << 8 |
                      std::uint64_t{s.flags} << 16 | static_cast<std::uint64_t>(s.order) << 24 |
                      std::uint64_t{s.kinds} << 32;
    h = (h ^ s.type.index()) * 0x9e3779b97f4a7c15ULL;
    h = (h ^ (h >> 29) ^ s.access_type.index()) * 0xbf58476d1ce4e5b9ULL;
    h = (h ^ (h >> 32) ^ s.operand_count) * 0x94d049bb133111ebULL;
    return h ^ (h >> 31);
  }
};

inline Shape shape_of(const Function& f, const Instruction& i) {
  Shape out{i.opcode, i.order, i.detail, i.flags, i.type, i.access_type, i.operand_count, 0};
  const std::span<const Operand> operands = f.operands_of(i);
  for (std::size_t k = 0; k < std::min(operands.size(), Shape::kinds_kept); ++k)
    out.kinds |= static_cast<std::uint32_t>(operands[k].kind()) << (4 * k);
  return out;
}

inline void shape_columns(auto& stream, auto& s) {
  stream.enumeration(Column::ShapeOperator, s.opcode, Opcode::Unsupported);
  stream.enumeration(Column::Shape, s.order, AtomicOrder::SeqCst);
  stream.number(Column::Shape, s.detail);
  stream.number(Column::Shape, s.flags);
  stream.id(Column::ShapeType, s.type);
  stream.id(Column::ShapeType, s.access_type);
  stream.number(Column::Shape, s.operand_count);
  stream.number(Column::Shape, s.kinds);
}

/// The list of Function that Instruction::extra points into.
enum class Extra : std::uint8_t { None, Gep, Call, Indices, Text };

inline Extra extra_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::Gep: return Extra::Gep;
    case Opcode::Call:
    case Opcode::Invoke: return Extra::Call;
    case Opcode::ExtractValue:
    case Opcode::InsertValue:
    case Opcode::ShuffleVector: return Extra::Indices;
    case Opcode::Unsupported: return Extra::Text;
    default: return Extra::None;
  }
}

inline void gep_columns(auto& stream, auto& gep) {
  stream.id(Column::GepType, gep.source_type);
  stream.signed_number(Column::GepOffset, gep.constant_offset);
  stream.list(Column::GepStride, gep.strides, [&](auto& stride) { stream.signed_number(Column::GepStride, stride); });
}

inline void call_columns(auto& stream, auto& call) {
  stream.id(Column::CallType, call.function_type);
  bool has_more = !call.asm_text.empty() || !call.byval.empty();
  stream.flags(Column::CallFlags, call.no_return, call.no_unwind, has_more);
  if (!has_more) return;
  stream.text(Column::CallText, call.asm_text);
  stream.list(Column::ByValue, call.byval, [&](auto& copy) {
    stream.number(Column::ByValue, copy.index);
    stream.number(Column::ByValue, copy.bytes);
    stream.number(Column::ByValue, copy.align);
  });
}

inline void index_columns(auto& stream, auto& indices) {
  stream.list(Column::Index, indices, [&](auto& index) { stream.signed_number(Column::Index, index); });
}

}  // namespace heddle
