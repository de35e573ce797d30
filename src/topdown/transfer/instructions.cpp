// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/instructions.h"

#include <algorithm>
#include <array>

#include "program/model/accessed_bytes.h"
#include "program/model/function_queries.h"

namespace heddle::topdown {

bool Instructions::load(const Site& site, State& s) {
  const Type& type = u.program.types[site.code().access_type];
  const FormId address = values_.evaluate(site, s, site.operands()[0]);
  const std::uint64_t size = accessed_bytes(type);
  if (!recorder_.access(site, s, address, size, AccessKind::Read, site.code().is_atomic())) return false;
  const unsigned bits = values_.bits_of(site.code().type);
  if (size > 8) {
    values_.assign(site, s, values_.defined(site, s, u.unknown(64)));
    return true;
  }
  const FormId value = memory_.load(s, address, static_cast<std::uint32_t>(size), bits, values_.result_symbol(site));
  const AtomicOrder order = site.code().order;
  if (site.code().is_atomic() && order != AtomicOrder::Acquire && order < AtomicOrder::AcqRel)
    recorder_.check_publication(site, s, value);
  values_.assign(site, s, value);
  return true;
}

bool Instructions::store(const Site& site, State& s) {
  const Type& type = u.program.types[site.code().access_type];
  const FormId address = values_.evaluate(site, s, site.operands()[1]);
  const std::uint64_t size = accessed_bytes(type);
  if (!recorder_.access(site, s, address, size, AccessKind::Write, site.code().is_atomic())) return false;
  FormId value = values_.evaluate(site, s, site.operands()[0]);
  const unsigned bits = values_.bits_of(site.code().access_type);
  if (size > 8) {
    memory_.store_blurred(s, address, d.info_of(s, value, 64), static_cast<std::int64_t>(size));
    return true;
  }
  const auto bytes = static_cast<std::uint32_t>(size);
  const AtomicOrder order = site.code().order;
  if (site.code().is_atomic() && order != AtomicOrder::Release && order < AtomicOrder::AcqRel)
    recorder_.check_publication(site, s, value);
  const bool flag =
      flags_.change_flag(s, {address, bytes, value, flags_.content_in_section(s, address, bytes), site.code().order});
  const Instruction* sum = definition_of(*site.function, site.operands()[0]);
  const bool cannot_wrap = sum != nullptr && sum->opcode == Opcode::Binary && sum->binary_op() == BinaryOp::Add &&
                           sum->has_flag(Instruction::no_signed_wrap);
  memory_.store(s, address, value, bytes, bits, {.changes_flag = flag, .cannot_wrap = cannot_wrap});
  return true;
}

void Instructions::extract_value(const Site& site, State& s) {
  const Operand aggregate = site.operands()[0];
  if (const Instruction* definition = definition_of(*site.function, aggregate);
      definition != nullptr && definition->opcode == Opcode::CmpXchg)
    return extract_exchanged(site, s, *definition);
  const unsigned bits = values_.bits_of(site.code().type);
  const InfoId whole = d.info_of(s, values_.evaluate(site, s, aggregate), 64);
  const InfoId part = bits == 1 ? u.number({0, 1}) : u.with_addresses_of(u.any_number(bits), whole);
  values_.assign(site, s, values_.defined(site, s, part));
}

/// Of a compare-and-exchange: whether it was done (1), or what it found (0).
void Instructions::extract_exchanged(const Site& site, State& s, const Instruction& exchange) {
  const Function& f = *site.function;
  const unsigned bits = values_.bits_of(site.code().type);
  const FormId value = values_.evaluate(site, s, site.operands()[0]);
  const auto done = u.constant_of(value);
  if (std::ranges::equal(f.indices[site.code().extra], std::array{1}))
    return values_.assign(site, s, done ? value : values_.defined(site, s, u.number({0, 1})));
  const FormId expected = values_.evaluate(site, s, f.operands_of(exchange)[1]);
  State look = s;  // what the cell may hold now includes what was found there
  const auto size = static_cast<std::uint32_t>(accessed_bytes(u.program.types[exchange.access_type]));
  const FormId content = memory_.load(look, values_.evaluate(site, s, f.operands_of(exchange)[0]), size, bits,
                                      values_.result_symbol(site));
  const InfoId found = u.with_addresses_of(u.any_number(bits), d.info_of(look, content, bits));
  values_.assign(site, s, done == 1 ? expected : values_.defined(site, s, found));
}

bool Instructions::memory_copy(const Site& site, State& s) {
  const auto operands = site.operands();
  const bool is_set = site.code().opcode == Opcode::MemSet;
  const FormId destination = values_.evaluate(site, s, operands[0]);
  const Interval length =
      d.interval_of(s, values_.evaluate(site, s, operands[2]), values_.operand_bits(site, operands[2]));
  if (length == Interval::constant(0)) return true;
  const bool known = length.is_constant();
  const std::uint64_t size = known ? static_cast<std::uint64_t>(length.low) : 1;
  if (is_set) {
    if (!recorder_.access(site, s, destination, known ? size : 0, AccessKind::Write, false)) return false;
    const FormId byte = values_.evaluate(site, s, operands[1]);
    memory_.set_bytes(s, destination, d.info_of(s, byte, 8), known ? length.low : -1);
    return true;
  }
  const FormId source = values_.evaluate(site, s, operands[1]);
  if (!recorder_.access(site, s, source, known ? size : 0, AccessKind::Read, false)) return false;
  if (!recorder_.access(site, s, destination, known ? size : 0, AccessKind::Write, false)) return false;
  memory_.copy(s, destination, source, length.low, known);
  return true;
}

void Instructions::make_slot(const Site& site, State& s) {
  const Operand how_many = site.operands()[0];
  const Interval count = d.interval_of(s, values_.evaluate(site, s, how_many), values_.operand_bits(site, how_many));
  const std::uint64_t each = u.program.types[site.code().access_type].size_bytes();
  const std::uint64_t size = count.is_constant() ? each * static_cast<std::uint64_t>(count.low) : 0;
  values_.assign(
      site, s,
      memory_.allocate(s, ObjectKind::Stack, site.context, values_.thread_of(site), site.instruction, size, false));
}

bool Instructions::transfer_one(const Site& site, State& s) {
  const Instruction& code = site.code();
  switch (code.opcode) {
    case Opcode::Alloca: make_slot(site, s); return true;
    case Opcode::Load: return load(site, s);
    case Opcode::Store: return store(site, s);
    case Opcode::AtomicRmw: return atomics_.atomic_update(site, s);
    case Opcode::MemCopy:
    case Opcode::MemSet: return memory_copy(site, s);
    case Opcode::Fence: return true;
    case Opcode::Gep: values_.assign(site, s, expressions_.gep(site, s)); return true;
    case Opcode::Binary: values_.assign(site, s, expressions_.binary(site, s)); return true;
    case Opcode::Compare: values_.assign(site, s, expressions_.compare(site, s)); return true;
    case Opcode::Cast: values_.assign(site, s, expressions_.cast(site, s)); return true;
    case Opcode::Freeze: values_.assign(site, s, values_.evaluate(site, s, site.operands()[0])); return true;
    case Opcode::FNeg:
      values_.assign(site, s, values_.defined(site, s, u.any_number(values_.bits_of(code.type))));
      return true;
    case Opcode::Select: values_.assign(site, s, expressions_.select(site, s)); return true;
    case Opcode::ExtractValue: extract_value(site, s); return true;
    case Opcode::VaArg:
      recorder_.obstacle(site, "a variable argument list is read");
      values_.assign(site, s, values_.defined(site, s, u.unknown(values_.bits_of(code.type))));
      return true;
    case Opcode::InsertValue:
    case Opcode::ExtractElement:
    case Opcode::InsertElement:
    case Opcode::ShuffleVector:
    case Opcode::LandingPad:
      values_.assign(site, s, values_.defined(site, s, u.unknown(values_.bits_of(code.type))));
      return true;
    case Opcode::Unsupported:
      recorder_.obstacle(site,
                         "an instruction heddle does not treat: " + std::string(site.function->texts[code.extra]));
      return true;
    default: return true;
  }
}

}  // namespace heddle::topdown
