// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame, the edges, calls and branches of a function. What single instructions become is in decode_instruction.cpp.
#include "interpret/code/function_decoder.h"

#include "program/model/function_queries.h"

#include <algorithm>

namespace heddle::interpret {

void FunctionDecoder::run() {
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

void FunctionDecoder::number_slots() {
  for (const TypeId type : function_.parameters) {
    slots_.push_back(next_slot_);
    next_slot_ += static_cast<std::int32_t>(shape(type).slots);
  }
  out_.parameter_slots = static_cast<std::uint32_t>(next_slot_);
  for (const Instruction& instruction : function_.instructions) {
    slots_.push_back(next_slot_);
    next_slot_ += static_cast<std::int32_t>(shape(instruction.type).slots);
  }
  is_used_ = used_values(function_);
  out_.code.resize(function_.instructions.size());
  out_.result_slots = shape(program_.types[function_.type].element).slots;
  out_.byval = function_.byval;
}

std::int32_t FunctionDecoder::slot(Operand operand) {
  if (operand.is_value()) return slots_[operand.index()];
  if (operand.kind() == Operand::Kind::Global && program_.globals[operand.as_global()].is_thread_local)
    return thread_local_slot(operand.as_global());
  return pool_.slot_of(operand);
}

std::int32_t FunctionDecoder::thread_local_slot(GlobalId global) {
  for (const ThreadLocalUse& use : out_.thread_locals)
    if (use.global == global) return use.slot;
  out_.thread_locals.push_back({next_slot_, global});
  return next_slot_++;
}

TypeId FunctionDecoder::type_of(Operand operand) const {
  if (operand.is_value()) {
    const ValueId v = operand.as_value();
    return function_.is_parameter(v) ? function_.parameters[v.index()]
                                     : function_.instructions[function_.definition(v)].type;
  }
  if (operand.is_constant()) return program_.constants[operand.as_constant()].type;
  return {};  // an address
}

std::uint32_t FunctionDecoder::bits_of(Operand operand) const {
  const TypeId type = type_of(operand);
  return type.valid() ? shape(type).bits : program_.layout.pointer_bits;
}

std::uint32_t FunctionDecoder::edge_to(Operand target) {
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

void FunctionDecoder::add_phi(std::size_t at) {
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
  call.is_used = is_used_[function_.result_of(static_cast<std::size_t>(&i - function_.instructions.data())).index()];
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

}  // namespace heddle::interpret
