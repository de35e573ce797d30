// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "base/check.h"
#include "interpret/code/constant_pool.h"
#include "interpret/code/decoded.h"

namespace heddle::interpret {
namespace {

class FunctionDecoder {
 public:
  FunctionDecoder(const Program& program, const Function& function, const std::vector<Shape>& shapes,
                  ConstantPool& pool, FunctionCode& out)
      : program_(program), function_(function), shapes_(shapes), pool_(pool), out_(out) {}

  void run() {
    number_slots();
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
      block_ = BlockId(b);
      for (std::uint32_t i = 0; i < function_.blocks[b].count; ++i) {
        const std::size_t at = function_.blocks[b].first + i;
        out_.code[at] = decode(function_.instructions[at], at);
      }
    }
    out_.frame_slots = static_cast<std::uint32_t>(next_slot_);
  }

 private:
  const Shape& shape(TypeId id) const { return shapes_[id.index()]; }

  void number_slots() {
    for (const TypeId type : function_.parameters) {
      slots_.push_back(next_slot_);
      next_slot_ += static_cast<std::int32_t>(shape(type).slots);
    }
    out_.parameter_slots = static_cast<std::uint32_t>(next_slot_);
    for (const Instruction& instruction : function_.instructions) {
      slots_.push_back(next_slot_);
      next_slot_ += static_cast<std::int32_t>(shape(instruction.type).slots);
    }
    out_.code.resize(function_.instructions.size());
    out_.result_slots = shape(program_.types[function_.type].element).slots;
    out_.byval = function_.byval;
  }

  std::int32_t slot(Operand operand) {
    if (operand.is_value()) return slots_[operand.index()];
    if (operand.kind() == Operand::Kind::Global && program_.globals[operand.as_global()].is_thread_local)
      return thread_local_slot(operand.as_global());
    return pool_.slot_of(operand);
  }

  std::int32_t thread_local_slot(GlobalId global) {
    for (const ThreadLocalUse& use : out_.thread_locals)
      if (use.global == global) return use.slot;
    out_.thread_locals.push_back({next_slot_, global});
    return next_slot_++;
  }

  TypeId type_of(Operand operand) const {
    if (operand.is_value()) {
      const ValueId v = operand.as_value();
      return function_.is_parameter(v) ? function_.parameters[v.index()]
                                       : function_.instructions[function_.definition(v)].type;
    }
    if (operand.is_constant()) return program_.constants[operand.as_constant()].type;
    return {};  // an address
  }
  std::uint32_t bits_of(Operand operand) const {
    const TypeId type = type_of(operand);
    return type.valid() ? shape(type).bits : program_.layout.pointer_bits;
  }

  std::uint32_t edge_to(Operand target) {
    const Block& block = function_.blocks[target.index()];
    Edge edge;
    edge.first_move = static_cast<std::uint32_t>(out_.moves.size());
    std::uint32_t i = 0;
    for (; i < block.count && function_.instructions[block.first + i].opcode == Opcode::Phi; ++i)
      add_phi(block.first + i);
    edge.target = block.first + i;
    edge.moves = static_cast<std::uint32_t>(out_.moves.size()) - edge.first_move;
    out_.edges.push_back(edge);
    return static_cast<std::uint32_t>(out_.edges.size() - 1);
  }

  void add_phi(std::size_t at) {
    const Instruction& phi = function_.instructions[at];
    const auto operands = function_.operands_of(phi);
    for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
      if (operands[k + 1].as_block() != block_) continue;
      const std::int32_t from = slot(operands[k]);
      const std::int32_t to = slots_[function_.result_of(at).index()];
      for (std::int32_t s = 0; s < static_cast<std::int32_t>(shape(phi.type).slots); ++s)
        out_.moves.push_back({to + s, from + s});
      return;
    }
  }

  Code decode(const Instruction& i, std::size_t at);
  void decode_memory(const Instruction& i, Code& code);
  void decode_call(const Instruction& i, Code& code);
  void decode_operator(const Instruction& i, Code& code);
  void decode_cast(const Instruction& i, Code& code);
  void decode_parts(const Instruction& i, Code& code);
  void decode_branch(const Instruction& i, Code& code);
  std::uint32_t leaf_index(TypeId type, std::span<const std::int32_t> path) const;

  const Program& program_;
  const Function& function_;
  const std::vector<Shape>& shapes_;
  ConstantPool& pool_;
  FunctionCode& out_;
  std::vector<std::int32_t> slots_;
  std::int32_t next_slot_ = 0;
  BlockId block_;
};

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

void FunctionDecoder::decode_call(const Instruction& i, Code& code) {
  const auto operands = function_.operands_of(i);
  const CallInfo& info = function_.calls[i.extra];
  CallCode call;
  if (i.opcode == Opcode::Invoke) {
    call.is_invoke = true;
    call.normal = edge_to(operands[operands.size() - 2]);
    call.unwind = edge_to(operands[operands.size() - 1]);
  }
  const Operand callee = operands[0];
  for (const Operand operand : function_.arguments_of(i)) {
    const TypeId type = type_of(operand);
    call.arguments.push_back({slot(operand), type, type.valid() ? shape(type).slots : 1, 0, 0});
  }
  for (const ByValue& copy : info.byval) {
    call.arguments[copy.index].byval = copy.bytes;
    call.arguments[copy.index].stack_align = copy.align;
  }
  call.fixed = info.function_type.valid()
                   ? static_cast<std::uint32_t>(program_.types[info.function_type].parameters.size())
                   : static_cast<std::uint32_t>(call.arguments.size());
  call.result = i.type;
  call.result_slots = shape(i.type).slots;
  if (callee.is_function()) {
    call.callee = callee.as_function();
    code.op = program_.functions[call.callee].has_body() ? Op::Call : Op::CallExternal;
  } else if (callee.kind() == Operand::Kind::Asm) {
    code.op = Op::Asm;
    code.a = static_cast<std::int32_t>(i.extra);
  } else {
    call.target = slot(callee);
    code.op = Op::CallIndirect;
  }
  code.extra = static_cast<std::uint32_t>(out_.calls.size());
  out_.calls.push_back(std::move(call));
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

void FunctionDecoder::decode_branch(const Instruction& i, Code& code) {
  const auto operands = function_.operands_of(i);
  switch (i.opcode) {
    case Opcode::Branch:
      code.op = Op::Branch;
      code.extra = edge_to(operands[0]);
      return;
    case Opcode::CondBranch:
      code.op = Op::CondBranch;
      code.a = slot(operands[0]);
      code.b = static_cast<std::int32_t>(edge_to(operands[1]));
      code.c = static_cast<std::int32_t>(edge_to(operands[2]));
      return;
    case Opcode::Switch: {
      SwitchCode choice;
      code.op = bits_of(operands[0]) > 64 ? Op::Unsupported : Op::Switch;
      code.a = slot(operands[0]);
      choice.otherwise = edge_to(operands[1]);
      for (std::size_t k = 2; k + 1 < operands.size(); k += 2)
        choice.cases.emplace_back(program_.constants[operands[k].as_constant()].bits, edge_to(operands[k + 1]));
      std::ranges::sort(choice.cases);
      code.extra = static_cast<std::uint32_t>(out_.switches.size());
      out_.switches.push_back(std::move(choice));
      return;
    }
    default:  // IndirectBranch: the front end leaves none
      code.op = Op::Unsupported;
  }
}

Code FunctionDecoder::decode(const Instruction& i, std::size_t at) {
  const auto operands = function_.operands_of(i);
  Code code;
  code.flags = i.flags;
  code.dst = slots_[function_.result_of(at).index()];
  switch (i.opcode) {
    case Opcode::Phi:
    case Opcode::Fence: break;  // sequential consistency needs no fences
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

}  // namespace

DecodedProgram decode(const Program& program, const std::vector<bool>& is_section, std::vector<Shape> shapes,
                      const Placement& placement) {
  DecodedProgram out;
  out.shapes = std::move(shapes);
  ConstantPool pool(program, out.shapes, placement);
  out.functions.resize(program.functions.size());
  for (std::size_t f = 0; f < out.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    FunctionCode& code = out.functions[f];
    code.id = FunctionId(f);
    code.has_body = function.has_body();
    code.is_vararg = function.is_vararg;
    code.is_section = is_section[f];
    if (code.has_body) FunctionDecoder(program, function, out.shapes, pool, code).run();
  }
  out.constants = pool.take();
  return out;
}

}  // namespace heddle::interpret
