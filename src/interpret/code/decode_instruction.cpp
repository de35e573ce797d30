// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "base/check.h"
#include "interpret/code/function_decoder.h"
#include "numeric/interval.h"

namespace heddle::interpret {

std::uint32_t FunctionDecoder::leaf_index(TypeId id, std::span<const std::int32_t> path) const {
  if (path.empty()) return 0;
  const Type& type = program_.types[id];
  const auto k = static_cast<std::size_t>(path.front());
  if (type.kind == TypeKind::Struct) {
    std::uint32_t before = 0;
    for (std::size_t f = 0; f < k; ++f) before += shape(type.fields[f].type).slots;
    return before + leaf_index(type.fields[k].type, path.subspan(1));
  }
  return static_cast<std::uint32_t>(k) * shape(type.element).slots + leaf_index(type.element, path.subspan(1));
}

void FunctionDecoder::decode_memory(const Instruction& i, Code& code) {
  const auto operands = function_.operands_of(i);
  const Shape& accessed = shape(i.access_type);
  const bool is_store = i.opcode == Opcode::Store;
  code.extra = i.access_type.index();
  code.a = slot(operands[0]);
  if (operands.size() > 1) code.b = slot(operands[1]);
  code.width = static_cast<std::uint8_t>(std::min<std::uint32_t>(accessed.bits, 128));
  code.detail = accessed.slots == 1 ? accessed.leaves[0].size : 0;
  if (!accessed.is_supported) {
    code.op = Op::Unsupported;
  } else if (i.is_atomic()) {
    code.op = is_store ? Op::AtomicStore : Op::AtomicLoad;
  } else if (accessed.slots != 1) {
    code.op = is_store ? Op::StoreMany : Op::LoadMany;
  } else {
    code.width = accessed.leaves[0].bits;
    const bool is_pointer = accessed.leaves[0].is_pointer;
    code.op = is_store ? (is_pointer ? Op::StorePointer : Op::Store) : (is_pointer ? Op::LoadPointer : Op::Load);
  }
}

void FunctionDecoder::decode_operator(const Instruction& i, Code& code) {
  const auto operands = function_.operands_of(i);
  code.a = slot(operands[0]);
  if (operands.size() > 1) code.b = slot(operands[1]);
  code.detail = i.detail;
  const TypeId type = type_of(operands[0]);
  const TypeKind kind = type.valid() ? shape(type).kind : TypeKind::Pointer;
  const std::uint32_t bits = bits_of(operands[0]);
  code.width = static_cast<std::uint8_t>(bits);
  code.extra = type.valid() ? type.index() : 0;
  if (type.valid() && !shape(type).is_supported) {
    code.op = Op::Unsupported;
    return;
  }
  const bool is_compare = i.opcode == Opcode::Compare;
  if (kind == TypeKind::Vector)
    code.op = i.opcode == Opcode::FNeg ? Op::Unsupported : is_compare ? Op::VectorCompare : Op::VectorBinary;
  else if (i.opcode == Opcode::FNeg)
    code.op = Op::FNeg;
  else if (kind == TypeKind::Float)
    code.op = is_compare ? Op::FloatCompare : Op::FloatBinary;
  else if (bits > 64)
    code.op = is_compare ? Op::WideCompare : Op::WideBinary;
  else
    code.op = static_cast<Op>(static_cast<int>(is_compare ? Op::Eq : Op::Add) + i.detail);
  if (kind == TypeKind::Float) code.c = static_cast<std::int32_t>(shape(type).format);
  if (is_compare && kind == TypeKind::Pointer) code.flags = Code::of_pointers;
}

void FunctionDecoder::decode_cast(const Instruction& i, Code& code) {
  const Operand from = function_.operands_of(i)[0];
  const Shape& to = shape(i.type);
  code.a = slot(from);
  code.detail = i.detail;
  code.width = static_cast<std::uint8_t>(bits_of(from));
  const TypeId from_type = type_of(from);
  code.extra = from_type.valid() ? from_type.index() : TypeId().index();
  code.b = static_cast<std::int32_t>(i.type.index());
  code.c = static_cast<std::int32_t>(to.bits);
  const CastOp op = i.cast_op();
  const bool is_bitcast = op == CastOp::Bitcast || op == CastOp::AddrSpaceCast;
  if (!to.is_supported || (from_type.valid() && !shape(from_type).is_supported)) {
    code.op = Op::Unsupported;
  } else if (is_bitcast) {
    code.op = Op::Bitcast;
  } else if (to.kind == TypeKind::Vector) {
    code.op = Op::VectorCast;
  } else if (op <= CastOp::SExt && to.bits <= 64 && bits_of(from) <= 64) {
    code.op = op == CastOp::Trunc ? Op::Trunc : op == CastOp::ZExt ? Op::ZExt : Op::SExt;
  } else if ((op == CastOp::PtrToInt || op == CastOp::IntToPtr) && to.bits <= 64) {
    code.op = op == CastOp::PtrToInt ? Op::PtrToInt : Op::IntToPtr;
  } else {
    code.op = Op::CastAny;
  }
}

void FunctionDecoder::decode_parts(const Instruction& i, Code& code) {
  const auto operands = function_.operands_of(i);
  code.a = slot(operands[0]);
  code.extra = shape(i.type).slots;
  switch (i.opcode) {
    case Opcode::ExtractValue:
      code.op = Op::Copy;
      code.a += static_cast<std::int32_t>(leaf_index(type_of(operands[0]), function_.indices[i.extra]));
      return;
    case Opcode::InsertValue:
      code.op = Op::InsertValue;
      code.b = slot(operands[1]);
      code.c = static_cast<std::int32_t>(leaf_index(i.type, function_.indices[i.extra]));
      code.width = static_cast<std::uint8_t>(type_of(operands[1]).valid() ? shape(type_of(operands[1])).slots : 1);
      return;
    case Opcode::ExtractElement:
      code.op = Op::ExtractElement;
      code.b = slot(operands[1]);
      code.c = static_cast<std::int32_t>(program_.types[type_of(operands[0])].count);
      return;
    case Opcode::InsertElement:
      code.op = Op::InsertElement;
      code.b = slot(operands[1]);
      code.c = slot(operands[2]);
      return;
    default:
      code.op = Op::Shuffle;
      code.b = slot(operands[1]);
      code.c = static_cast<std::int32_t>(program_.types[type_of(operands[0])].count);
      code.extra = static_cast<std::uint32_t>(out_.lists.size());
      code.width = static_cast<std::uint8_t>(shape(program_.types[i.type].element).slots);
      out_.lists.emplace_back(function_.indices[i.extra].begin(), function_.indices[i.extra].end());
  }
}

Code FunctionDecoder::decode(const Instruction& i, std::size_t at) {
  const auto operands = function_.operands_of(i);
  Code code;
  code.flags = i.flags;
  code.dst = slots_[function_.result_of(at).index()];
  switch (i.opcode) {
    case Opcode::Phi: break;
    case Opcode::Fence: code.op = Op::Fence; break;
    case Opcode::Alloca:
      code.op = Op::Alloca;
      code.a = operands.empty() ? pool_.slot_of({}) : slot(operands[0]);
      code.b = operands.empty() ? 1 : 0;
      code.detail = i.detail;
      code.extra = i.access_type.index();
      break;
    case Opcode::Load:
    case Opcode::Store: decode_memory(i, code); break;
    case Opcode::CmpXchg:
    case Opcode::AtomicRmw:
      decode_memory(i, code);
      if (code.op == Op::Unsupported) break;
      code.op = i.opcode == Opcode::CmpXchg ? Op::CmpXchg : Op::AtomicRmw;
      if (operands.size() > 2) code.c = slot(operands[2]);
      if (i.opcode == Opcode::AtomicRmw) code.c = i.detail;
      break;
    case Opcode::Gep: {
      const GepInfo& info = function_.geps[i.extra];
      GepCode gep{info.constant_offset, {}};
      if (i.has_flag(Instruction::in_bounds)) gep.most = numeric::Interval::of_width(program_.layout.pointer_bits).high;
      for (std::size_t k = 0; k < info.strides.size(); ++k)
        gep.terms.push_back(
            {slot(operands[k + 1]), info.strides[k], static_cast<std::uint8_t>(bits_of(operands[k + 1]))});
      code.op = gep.terms.empty() ? Op::Gep0 : gep.terms.size() == 1 ? Op::Gep1 : Op::GepMany;
      code.a = slot(operands[0]);
      code.extra = static_cast<std::uint32_t>(out_.geps.size());
      out_.geps.push_back(std::move(gep));
      break;
    }
    case Opcode::MemCopy:
    case Opcode::MemSet:
      code.op = i.opcode == Opcode::MemCopy ? Op::MemCopy : Op::MemSet;
      code.detail = i.detail;
      code.a = slot(operands[0]);
      code.b = slot(operands[1]);
      code.c = slot(operands[2]);
      break;
    case Opcode::Select: {
      const Shape& chosen = shape(i.type);
      code.a = slot(operands[0]);
      code.b = slot(operands[1]);
      code.c = slot(operands[2]);
      code.extra = chosen.slots;
      code.op = bits_of(operands[0]) != 1 ? Op::Unsupported : chosen.slots == 1 ? Op::Select : Op::SelectMany;
      break;
    }
    case Opcode::Binary:
    case Opcode::FNeg:
    case Opcode::Compare: decode_operator(i, code); break;
    case Opcode::Cast: decode_cast(i, code); break;
    case Opcode::Freeze:
      code.op = Op::Copy;
      code.a = slot(operands[0]);
      code.extra = shape(i.type).slots;
      code.detail = 1;
      break;
    case Opcode::ExtractValue:
    case Opcode::InsertValue:
    case Opcode::ExtractElement:
    case Opcode::InsertElement:
    case Opcode::ShuffleVector: decode_parts(i, code); break;
    case Opcode::LandingPad: {
      code.op = Op::LandingPad;
      code.extra = static_cast<std::uint32_t>(out_.lists.size());
      std::vector<std::int32_t> clauses;
      for (const Operand clause : operands) clauses.push_back(slot(clause));
      out_.lists.push_back(std::move(clauses));
      code.detail = i.detail;
      break;
    }
    case Opcode::Call:
    case Opcode::Invoke: decode_call(i, code); break;
    case Opcode::Return:
      code.op = Op::Return;
      if (!operands.empty()) {
        code.a = slot(operands[0]);
        code.extra = type_of(operands[0]).valid() ? shape(type_of(operands[0])).slots : 1;
      }
      break;
    case Opcode::Branch:
    case Opcode::CondBranch:
    case Opcode::Switch:
    case Opcode::IndirectBranch: decode_branch(i, code); break;
    case Opcode::Resume:
      code.op = Op::Resume;
      code.a = slot(operands[0]);
      break;
    case Opcode::Unreachable: code.op = Op::Unreachable; break;
    default: code.op = Op::Unsupported;
  }
  return code;
}

}  // namespace heddle::interpret
