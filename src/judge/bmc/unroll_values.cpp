// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values: what instructions compute, and the accesses that they make.
#include <algorithm>
#include <numeric>

#include "judge/bmc/unroller.h"
#include "program/model/accessed_bytes.h"

namespace heddle::judge::bmc {

Unroller::Value Unroller::operand(Frame& frame, Operand of) {
  switch (of.kind()) {
    case Operand::Kind::Value: {
      const ValueNumber known = frame.values[of.index()];
      if (known != 0) return values_[known];
      const std::size_t parameters = frame.function->parameters.size();
      const TypeId type = of.index() < parameters ? frame.function->parameters[of.index()]
                                                  : frame.function->instructions[of.index() - parameters].type;
      return {constant(0, width_of(type)), 0};
    }
    case Operand::Kind::Constant: return constant_value(of.as_constant());
    case Operand::Kind::Global: return address_of(global(of.as_global()));
    case Operand::Kind::Function:
      return address_of(shape_.object({.kind = ObjectKey::Kind::Function, .number = of.as_function().index()}, 1));
    default: throw NoEncoding{"it uses a value of a kind that is not treated"};
  }
}

Unroller::Value Unroller::constant_value(ConstantId id) {
  const Constant& of = program_.constants[id];
  Value out{constant(0, width_of(of.type)), 0};
  switch (of.kind) {
    case Constant::Kind::Int:
    case Constant::Kind::Float:
      if (of.wide.empty()) out.bits = constant(of.bits, out.bits.size());
      for (std::size_t i = 0; i < out.bits.size() && i / 64 < of.wide.size(); ++i)
        out.bits[i] = Bit::of((of.wide[i / 64] >> i % 64 & 1U) != 0);
      return out;
    case Constant::Kind::Null:
    case Constant::Kind::Zero:
    case Constant::Kind::Undef:
    case Constant::Kind::Poison: return out;
    case Constant::Kind::Aggregate: break;
  }
  for (std::size_t i = 0; i < of.elements.size(); ++i) {
    const std::int32_t index = static_cast<std::int32_t>(i);
    const auto [at, width] = field_bits(of.type, {&index, 1});
    Value element;
    if (of.elements[i].is_constant())
      element = constant_value(of.elements[i].as_constant());
    else if (of.elements[i].is_global())
      element = address_of(global(of.elements[i].as_global()));
    else
      throw NoEncoding{"it has a constant of a kind that is not treated"};
    std::ranges::copy(element.bits, out.bits.begin() + static_cast<std::ptrdiff_t>(at));
    out.leads = join_sets(out.leads, element.leads);
  }
  return out;
}

/// Where a part of an aggregate begins, and how wide it is.
std::pair<std::uint64_t, std::uint64_t> Unroller::field_bits(TypeId type, std::span<const std::int32_t> indices) const {
  std::uint64_t at = 0;
  for (const std::int32_t index : indices) {
    const Type& of = program_.types[type];
    const auto number = static_cast<std::size_t>(index);
    if (of.kind == TypeKind::Struct && number < of.fields.size()) {
      at += of.fields[number].offset_bits;
      type = of.fields[number].type;
    } else if (of.kind == TypeKind::Array) {
      type = of.element;
      at += number * program_.types[type].size_bits;
    } else {
      throw NoEncoding{"it has a value of a kind that is not treated"};
    }
  }
  return {at, width_of(type)};
}

void Unroller::set_result(const Site& site, Value value) {
  site.frame.values[site.frame.function->result_of(site.index).index()] = keep(std::move(value));
}

void Unroller::instruction(const Site& site, Path& path) {
  const Instruction& code = site.code;
  const auto operands = site.frame.function->operands_of(code);
  const auto of = [&](std::size_t k) { return operand(site.frame, operands[k]); };
  const AccessHow how{code.is_atomic(), true};
  switch (code.opcode) {
    case Opcode::Alloca: return allocate_local(site);
    case Opcode::Load: {
      Value value = read(site, path, of(0), accessed_bytes(program_.types[code.access_type]), how);
      value.bits.resize(width_of(code.type));
      return set_result(site, std::move(value));
    }
    case Opcode::Store: {
      Value value = of(0);
      value.bits.resize(accessed_bytes(program_.types[code.access_type]) * 8);
      return write(site, path, of(1), std::move(value), how);
    }
    case Opcode::Gep: return set_result(site, element_address(site));
    case Opcode::MemCopy: return copy_memory(site, path);
    case Opcode::MemSet: return set_memory(site, path);
    case Opcode::CmpXchg: return compare_exchange(site, path);
    case Opcode::AtomicRmw: return update(site, path);
    case Opcode::Fence: return;
    case Opcode::Select: return set_result(site, choose_value(of(0).bits[0], of(1), of(2)));
    case Opcode::Binary: return set_result(site, binary(code, of(0), of(1), path));
    case Opcode::Compare: return set_result(site, {{compare(code, of(0), of(1))}, 0});
    case Opcode::Cast: return set_result(site, cast(code, of(0)));
    case Opcode::Freeze: return set_result(site, of(0));
    case Opcode::ExtractValue: {
      const Value whole = of(0);
      const TypeId type =
          operands[0].is_value()
              ? (operands[0].index() < site.frame.function->parameters.size()
                     ? site.frame.function->parameters[operands[0].index()]
                     : site.frame.function->instructions[site.frame.function->definition(operands[0].as_value())].type)
              : program_.constants[operands[0].as_constant()].type;
      const auto [at, width] = field_bits(type, site.frame.function->indices[code.extra]);
      const Bits part = Bits(whole.bits).subspan(at, width);
      return set_result(site, {Word(part.begin(), part.end()), whole.leads});
    }
    case Opcode::InsertValue: {
      Value whole = of(0);
      const Value part = of(1);
      const auto [at, width] = field_bits(code.type, site.frame.function->indices[code.extra]);
      std::ranges::copy(part.bits, whole.bits.begin() + static_cast<std::ptrdiff_t>(at));
      whole.leads = join_sets(whole.leads, part.leads);
      return set_result(site, std::move(whole));
    }
    case Opcode::FNeg: throw NoEncoding{"it computes with floating point"};
    case Opcode::LandingPad: throw NoEncoding{"it handles exceptions"};
    default: throw NoEncoding{"it has an instruction that is not treated"};
  }
}

void Unroller::allocate_local(const Site& site) {
  const auto count = number_of(operand(site.frame, site.frame.function->operands_of(site.code)[0]).bits);
  if (!count) throw NoEncoding{"it has a local array of a size that is not known"};
  ObjectKey key{.kind = ObjectKey::Kind::Local, .context = site.frame.context, .number = site.index};
  key.rounds = site.frame.rounds;
  set_result(site, address_of(shape_.object(key, *count * program_.types[site.code.access_type].size_bytes())));
}

Unroller::Value Unroller::element_address(const Site& site) {
  const Function& function = *site.frame.function;
  const GepInfo& info = function.geps[site.code.extra];
  const auto operands = function.operands_of(site.code);
  Value out = operand(site.frame, operands[0]);
  const std::size_t width = out.bits.size();
  Word sum = constant(static_cast<std::uint64_t>(info.constant_offset), width);
  std::uint64_t known = static_cast<std::uint64_t>(info.constant_offset), step = 0;
  for (std::size_t k = 0; k < info.strides.size(); ++k) {
    const Word index = resize_signed(operand(site.frame, operands[k + 1]).bits, width);
    const auto number = signed_number_of(index);
    const std::int64_t stride = info.strides[k];
    if (number)
      known += static_cast<std::uint64_t>(*number) * static_cast<std::uint64_t>(stride);
    else
      step = std::gcd(step, static_cast<std::uint64_t>(std::abs(stride)));
    sum = add(circuit_, sum, multiply(circuit_, index, constant(static_cast<std::uint64_t>(info.strides[k]), width)));
  }
  // The object stays the same one: the sum goes to the lower half, where one that leaves the object is found.
  const unsigned split = shape_.offset_bits();
  const Word lower = add(circuit_, Bits(out.bits).first(split), Bits(sum).first(split));
  std::ranges::copy(lower, out.bits.begin());
  out.leads = moved(out.leads, known, step);
  return out;
}

Unroller::Value Unroller::binary(const Instruction& code, const Value& a, const Value& b, Path& path) {
  Circuit& c = circuit_;
  Value out{{}, somewhere(join_sets(a.leads, b.leads))};
  const auto divided = [&](bool has_sign) {
    path.condition = c.both(path.condition, is_not_zero(c, b.bits));
    return has_sign ? divide_signed(c, a.bits, b.bits) : divide(c, a.bits, b.bits);
  };
  switch (code.binary_op()) {
    case BinaryOp::Add: out.bits = add(c, a.bits, b.bits); break;
    case BinaryOp::Sub: out.bits = subtract(c, a.bits, b.bits); break;
    case BinaryOp::Mul: out.bits = multiply(c, a.bits, b.bits); break;
    case BinaryOp::UDiv: out.bits = divided(false).quotient; break;
    case BinaryOp::SDiv: out.bits = divided(true).quotient; break;
    case BinaryOp::URem: out.bits = divided(false).remainder; break;
    case BinaryOp::SRem: out.bits = divided(true).remainder; break;
    case BinaryOp::Shl: out.bits = shift_left(c, a.bits, b.bits); break;
    case BinaryOp::LShr: out.bits = shift_right(c, a.bits, b.bits); break;
    case BinaryOp::AShr: out.bits = shift_right(c, a.bits, b.bits, a.bits.back()); break;
    case BinaryOp::And: out.bits = both(c, a.bits, b.bits); break;
    case BinaryOp::Or: out.bits = either(c, a.bits, b.bits); break;
    case BinaryOp::Xor: out.bits = differ(c, a.bits, b.bits); break;
    case BinaryOp::FAdd:
    case BinaryOp::FSub:
    case BinaryOp::FMul:
    case BinaryOp::FDiv:
    case BinaryOp::FRem: throw NoEncoding{"it computes with floating point"};
  }
  return out;
}

Bit Unroller::compare(const Instruction& code, const Value& a, const Value& b) {
  Circuit& c = circuit_;
  switch (code.predicate()) {
    case Predicate::Eq: return equal(c, a.bits, b.bits);
    case Predicate::Ne: return !equal(c, a.bits, b.bits);
    case Predicate::Ult: return less(c, a.bits, b.bits);
    case Predicate::Ugt: return less(c, b.bits, a.bits);
    case Predicate::Uge: return !less(c, a.bits, b.bits);
    case Predicate::Ule: return !less(c, b.bits, a.bits);
    case Predicate::Slt: return less_signed(c, a.bits, b.bits);
    case Predicate::Sgt: return less_signed(c, b.bits, a.bits);
    case Predicate::Sge: return !less_signed(c, a.bits, b.bits);
    case Predicate::Sle: return !less_signed(c, b.bits, a.bits);
    default: throw NoEncoding{"it computes with floating point"};
  }
}

Unroller::Value Unroller::cast(const Instruction& code, const Value& from) {
  const std::size_t width = width_of(code.type);
  switch (code.cast_op()) {
    case CastOp::Trunc:
    case CastOp::ZExt:
    case CastOp::PtrToInt:
    case CastOp::IntToPtr:
    case CastOp::Bitcast:
    case CastOp::AddrSpaceCast: return {resize(from.bits, width), from.leads};
    case CastOp::SExt: return {resize_signed(from.bits, width), from.leads};
    default: throw NoEncoding{"it computes with floating point"};
  }
}

Unroller::Value Unroller::updated(RmwOp op, const Value& old, const Value& given) {
  Circuit& c = circuit_;
  Value out{{}, somewhere(join_sets(old.leads, given.leads))};
  const Word &a = old.bits, &b = given.bits;
  switch (op) {
    case RmwOp::Xchg: return given;
    case RmwOp::Add: out.bits = add(c, a, b); break;
    case RmwOp::Sub: out.bits = subtract(c, a, b); break;
    case RmwOp::And: out.bits = both(c, a, b); break;
    case RmwOp::Nand: out.bits = invert(both(c, a, b)); break;
    case RmwOp::Or: out.bits = either(c, a, b); break;
    case RmwOp::Xor: out.bits = differ(c, a, b); break;
    case RmwOp::Max: out.bits = choose(c, less_signed(c, a, b), b, a); break;
    case RmwOp::Min: out.bits = choose(c, less_signed(c, a, b), a, b); break;
    case RmwOp::UMax: out.bits = choose(c, less(c, a, b), b, a); break;
    case RmwOp::UMin: out.bits = choose(c, less(c, a, b), a, b); break;
    default: throw NoEncoding{"it has an atomic update that is not treated"};
  }
  return out;
}

void Unroller::update(const Site& site, Path& path) {
  const auto operands = site.frame.function->operands_of(site.code);
  const Value given = operand(site.frame, operands[1]);
  const std::uint64_t width = given.bits.size();
  Value old =
      access(site, path, operand(site.frame, operands[0]), accessed_bytes(program_.types[site.code.access_type]),
             {true, true}, true, [&](const Value& there) {
               const Value before{resize(there.bits, width), there.leads};
               return std::pair(as_memory(updated(site.code.rmw_op(), before, given)), Bit::yes());
             });
  old.bits.resize(width);
  set_result(site, std::move(old));
}

void Unroller::compare_exchange(const Site& site, Path& path) {
  const auto operands = site.frame.function->operands_of(site.code);
  const Value expected = operand(site.frame, operands[1]), desired = operand(site.frame, operands[2]);
  Bit is_equal = Bit::no();
  const Value old = access(site, path, operand(site.frame, operands[0]), (expected.bits.size() + 7) / 8, {true, true},
                           true, [&](const Value& there) {
                             is_equal = equal(circuit_, resize(there.bits, expected.bits.size()), expected.bits);
                             return std::pair(as_memory(desired), is_equal);
                           });
  Value out{constant(0, width_of(site.code.type)), old.leads};
  std::copy_n(old.bits.begin(), expected.bits.size(), out.bits.begin());
  const std::int32_t second = 1;
  out.bits[field_bits(site.code.type, {&second, 1}).first] = is_equal;
  set_result(site, std::move(out));
}

namespace {
constexpr std::uint64_t most_copied_bytes = 4096;
}

void Unroller::copy_memory(const Site& site, Path& path) {
  const auto operands = site.frame.function->operands_of(site.code);
  const auto bytes = number_of(operand(site.frame, operands[2]).bits);
  if (!bytes || *bytes > most_copied_bytes) throw NoEncoding{"it copies memory of a size that is not known"};
  if (*bytes == 0) return;
  Value content = read(site, path, operand(site.frame, operands[1]), *bytes, {});
  if (path.condition.is_no()) return;
  // Both are one step.
  AccessHow how;
  how.is_part = last_point_ != nobody;
  const PointNumber section = path.section;
  if (section == nobody) path.section = last_point_;
  write(site, path, operand(site.frame, operands[0]), std::move(content), how);
  path.section = section;
}

void Unroller::set_memory(const Site& site, Path& path) {
  const auto operands = site.frame.function->operands_of(site.code);
  const auto bytes = number_of(operand(site.frame, operands[2]).bits);
  if (!bytes || *bytes > most_copied_bytes) throw NoEncoding{"it sets memory of a size that is not known"};
  if (*bytes == 0) return;
  const Word byte = operand(site.frame, operands[1]).bits;
  Value content;
  for (std::uint64_t i = 0; i < *bytes; ++i) content.bits.insert(content.bits.end(), byte.begin(), byte.begin() + 8);
  write(site, path, operand(site.frame, operands[0]), std::move(content), {});
}

}  // namespace heddle::judge::bmc
