// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each instruction does to a state. What it computes is in expressions.cpp, calls are in calls.cpp, terminators in
// blocks.cpp.
#include <algorithm>
#include <array>
#include <numeric>

#include "topdown/transfer/top_down_analysis.h"

namespace heddle::topdown {

unsigned TopDownAnalysis::bits_of(TypeId type) const { return u.width_of_type(type); }

unsigned TopDownAnalysis::operand_bits(const Site& site, Operand o) const {
  switch (o.kind()) {
    case Operand::Kind::Value: {
      const ValueId v = o.as_value();
      const Function& f = *site.function;
      return bits_of(f.is_parameter(v) ? f.parameters[v.index()] : f.instructions[f.definition(v)].type);
    }
    case Operand::Kind::Constant: return bits_of(program_.constants[o.as_constant()].type);
    default: return program_.layout.pointer_bits;
  }
}

FormId TopDownAnalysis::or_null(ObjectId object) {
  return u.opaque(u.join(u.number(Interval::constant(0)), u.addresses({{object, 0, 0, 0}})));
}

FormId TopDownAnalysis::evaluate(const Site& site, const State& s, Operand o) {
  switch (o.kind()) {
    case Operand::Kind::Value: {
      const auto held = u.maps.find(s.environment, u.environment_key(site.context, o.as_value()));
      return held ? FormId(*held) : u.opaque(u.unknown(operand_bits(site, o)));
    }
    case Operand::Kind::Constant: {
      const Constant& c = program_.constants[o.as_constant()];
      const unsigned bits = bits_of(c.type);
      if (c.kind == Constant::Kind::Null || c.kind == Constant::Kind::Zero) return u.constant(0);
      if (c.kind == Constant::Kind::Int && c.wide.empty()) return u.constant(numeric::sign_extend(c.bits, bits));
      if (c.kind == Constant::Kind::Aggregate) return u.opaque(u.unknown(bits));
      return u.opaque(u.any_number(bits));
    }
    case Operand::Kind::Global: {
      if (program_.globals[o.as_global()].may_be_missing) return or_null(u.global_object(o.as_global()));
      if (!program_.globals[o.as_global()].is_thread_local) return u.address_of(u.global_object(o.as_global()));
      const ObjectId mine = u.thread_local_object(o.as_global(), thread_of(site));
      const ObjectId published = u.objects[mine].settled;
      if (!u.maps.contains(s.allocated, published.index())) return u.address_of(mine);
      return u.opaque(u.addresses({{mine, 0, 0, 0}, {published, 0, 0, 0}}));
    }
    case Operand::Kind::Function: {
      const ObjectId function = u.function_object(o.as_function());
      return program_.functions[o.as_function()].may_be_missing ? or_null(function) : u.address_of(function);
    }
    default: return u.opaque(u.unknown(64));
  }
}

SymbolId TopDownAnalysis::result_symbol(const Site& site) const {
  const ValueId v = site.function->result_of(site.instruction);
  return u.symbol({.kind = SymbolKind::Defined,
                   .bits = static_cast<std::uint8_t>(bits_of(site.code().type)),
                   .a = site.context.index(),
                   .b = v.index(),
                   .depends = {}});
}

FormId TopDownAnalysis::defined(const Site& site, State& s, InfoId info) {
  return d.define(s, result_symbol(site), info);
}

void TopDownAnalysis::assign(const Site& site, State& s, FormId value) {
  const ValueId v = site.function->result_of(site.instruction);
  s.environment = u.maps.set(s.environment, u.environment_key(site.context, v), value.index());
}

/// Objects are private before they are published; that orders what was done to them only if publication synchronises.
void TopDownAnalysis::check_publication(const Site& site, const State& s, FormId value) {
  const Info info = u.infos[d.info_of(s, value, u.pointer_bits())];
  if (!s.parallel || !info.addresses) return;
  const auto& targets = u.points_to[info.addresses].targets;
  const bool allocated = std::any_of(targets.begin(), targets.end(), [&](const Target& t) {
    const ObjectKind kind = u.objects[t.object].kind;
    return kind == ObjectKind::Heap || kind == ObjectKind::Stack || kind == ObjectKind::ThreadLocal;
  });
  if (allocated) obstacle(site, "the address of an object is passed on by an atomic access that orders nothing");
}

bool TopDownAnalysis::load(const Site& site, State& s) {
  const Type& type = program_.types[site.code().access_type];
  const FormId address = evaluate(site, s, site.operands()[0]);
  const std::uint64_t size = type.size_bytes();
  if (!access(site, s, address, size, AccessKind::Read, site.code().is_atomic())) return false;
  const unsigned bits = bits_of(site.code().type);
  if (size > 8) {
    assign(site, s, defined(site, s, u.unknown(64)));
    return true;
  }
  const FormId value = memory_.load(s, address, static_cast<std::uint32_t>(size), bits, result_symbol(site));
  const AtomicOrder order = site.code().order;
  if (site.code().is_atomic() && order != AtomicOrder::Acquire && order < AtomicOrder::AcqRel)
    check_publication(site, s, value);
  assign(site, s, value);
  return true;
}

bool TopDownAnalysis::store(const Site& site, State& s) {
  const Type& type = program_.types[site.code().access_type];
  const FormId address = evaluate(site, s, site.operands()[1]);
  const std::uint64_t size = type.size_bytes();
  if (!access(site, s, address, size, AccessKind::Write, site.code().is_atomic())) return false;
  FormId value = evaluate(site, s, site.operands()[0]);
  const unsigned bits = bits_of(site.code().access_type);
  if (size > 8) {
    memory_.store_blurred(s, address, d.info_of(s, value, 64));
    return true;
  }
  const auto bytes = static_cast<std::uint32_t>(size);
  const AtomicOrder order = site.code().order;
  if (site.code().is_atomic() && order != AtomicOrder::Release && order < AtomicOrder::AcqRel)
    check_publication(site, s, value);
  std::optional<std::int64_t> before;
  if (const auto name = lock_name(canonical(s, address));
      name && s.parallel && u.maps.contains(s.locks, section_lock().index())) {
    const FormId content = memory_.known_content(s, u.cell(name->object, name->offset, bytes, 0));
    const Interval number = content ? d.interval_of(s, content, bits) : Interval::empty();
    if (number.is_constant()) before = number.low;
  }
  const bool flag = change_flag(s, address, bytes, value, before, site.code().order);
  memory_.store(s, address, value, bytes, bits, flag);
  return true;
}

bool TopDownAnalysis::atomic_update(const Site& site, State& s) {
  const auto size = static_cast<std::uint32_t>(program_.types[site.code().access_type].size_bytes());
  const FormId address = evaluate(site, s, site.operands()[0]);
  const unsigned bits = bits_of(site.code().access_type);
  if (!access(site, s, address, size, AccessKind::Write, true)) return false;
  const FormId old = memory_.load(s, address, size, bits, result_symbol(site));
  const InfoId before = d.info_of(s, old, bits);
  const FormId given = evaluate(site, s, site.operands()[1]);  // only now: the load gave its name away
  const RmwOp op = site.code().rmw_op();
  FormId next;
  if (op == RmwOp::Add || op == RmwOp::Sub) next = u.combine(old, given, op == RmwOp::Add ? 1 : -1, bits);
  if (!next)
    next = u.opaque(u.with_addresses_of(u.with_addresses_of(u.any_number(bits), before), d.info_of(s, given, bits)));
  if (site.code().order < AtomicOrder::AcqRel) {
    check_publication(site, s, old);
    check_publication(site, s, next);
  }
  assign(site, s, old);
  memory_.store(s, evaluate(site, s, site.operands()[0]), next, size, bits);
  return true;
}

void TopDownAnalysis::extract_value(const Site& site, State& s) {
  const unsigned bits = bits_of(site.code().type);
  const Operand aggregate = site.operands()[0];
  const FormId value = evaluate(site, s, aggregate);
  const Function& f = *site.function;
  if (aggregate.is_value() && !f.is_parameter(aggregate.as_value()) &&
      f.instructions[f.definition(aggregate.as_value())].opcode == Opcode::CmpXchg) {
    const Instruction& exchange = f.instructions[f.definition(aggregate.as_value())];
    const auto done = constant_of(value);
    if (std::ranges::equal(f.indices[site.code().extra], std::array{1})) {
      assign(site, s, done ? value : defined(site, s, u.number({0, 1})));
    } else {
      const FormId expected = evaluate(site, s, f.operands_of(exchange)[1]);
      State look = s;  // what the cell may hold now includes what was found there
      const auto size = static_cast<std::uint32_t>(program_.types[exchange.access_type].size_bytes());
      const FormId content =
          memory_.load(look, evaluate(site, s, f.operands_of(exchange)[0]), size, bits, result_symbol(site));
      const InfoId found = u.with_addresses_of(u.any_number(bits), d.info_of(look, content, bits));
      assign(site, s, done == 1 ? expected : defined(site, s, found));
    }
    return;
  }
  const InfoId whole = d.info_of(s, value, 64);
  assign(site, s, defined(site, s, bits == 1 ? u.number({0, 1}) : u.with_addresses_of(u.any_number(bits), whole)));
}

bool TopDownAnalysis::memory_copy(const Site& site, State& s) {
  const auto operands = site.operands();
  const bool is_set = site.code().opcode == Opcode::MemSet;
  const FormId destination = evaluate(site, s, operands[0]);
  const Interval length = d.interval_of(s, evaluate(site, s, operands[2]), operand_bits(site, operands[2]));
  if (length == Interval::constant(0)) return true;
  const bool known = length.is_constant();
  const std::uint64_t size = known ? static_cast<std::uint64_t>(length.low) : 1;
  if (is_set) {
    if (!access(site, s, destination, known ? size : 0, AccessKind::Write, false)) return false;
    const FormId byte = evaluate(site, s, operands[1]);
    memory_.set_bytes(s, destination, d.info_of(s, byte, 8), known ? length.low : -1);
    return true;
  }
  const FormId source = evaluate(site, s, operands[1]);
  if (!access(site, s, source, known ? size : 0, AccessKind::Read, false)) return false;
  if (!access(site, s, destination, known ? size : 0, AccessKind::Write, false)) return false;
  memory_.copy(s, destination, source, length.low, known);
  return true;
}

bool TopDownAnalysis::transfer_one(const Site& site, State& s) {
  const Instruction& code = site.code();
  switch (code.opcode) {
    case Opcode::Alloca: {
      const Interval count =
          d.interval_of(s, evaluate(site, s, site.operands()[0]), operand_bits(site, site.operands()[0]));
      const std::uint64_t each = program_.types[code.access_type].size_bytes();
      const std::uint64_t size = count.is_constant() ? each * static_cast<std::uint64_t>(count.low) : 0;
      assign(site, s,
             memory_.allocate(s, ObjectKind::Stack, site.context, thread_of(site), site.instruction, size, false));
      return true;
    }
    case Opcode::Load: return load(site, s);
    case Opcode::Store: return store(site, s);
    case Opcode::AtomicRmw: return atomic_update(site, s);
    case Opcode::MemCopy:
    case Opcode::MemSet: return memory_copy(site, s);
    case Opcode::Fence: return true;
    case Opcode::Gep: assign(site, s, gep(site, s)); return true;
    case Opcode::Binary: assign(site, s, binary(site, s)); return true;
    case Opcode::Compare: assign(site, s, compare(site, s)); return true;
    case Opcode::Cast: assign(site, s, cast(site, s)); return true;
    case Opcode::Freeze: assign(site, s, evaluate(site, s, site.operands()[0])); return true;
    case Opcode::FNeg: assign(site, s, defined(site, s, u.any_number(bits_of(code.type)))); return true;
    case Opcode::Select: {
      const auto operands = site.operands();
      const FormId condition = evaluate(site, s, operands[0]);
      const FormId a = evaluate(site, s, operands[1]);
      const FormId b = evaluate(site, s, operands[2]);
      State t = s;
      State f = s;
      if (!d.assume(t, condition, 1, true)) return assign(site, s, b), true;
      if (!d.assume(f, condition, 1, false)) return assign(site, s, a), true;
      const unsigned bits = bits_of(code.type);
      assign(site, s,
             a == b && !u.forms[a].opaque ? a : defined(site, s, u.join(d.info_of(t, a, bits), d.info_of(f, b, bits))));
      return true;
    }
    case Opcode::ExtractValue: extract_value(site, s); return true;
    case Opcode::VaArg:
      obstacle(site, "a variable argument list is read");
      assign(site, s, defined(site, s, u.unknown(bits_of(code.type))));
      return true;
    case Opcode::InsertValue:
    case Opcode::ExtractElement:
    case Opcode::InsertElement:
    case Opcode::ShuffleVector:
    case Opcode::LandingPad: assign(site, s, defined(site, s, u.unknown(bits_of(code.type)))); return true;
    case Opcode::Unsupported:
      obstacle(site, "an instruction heddle does not treat: " + std::string(site.function->texts[code.extra]));
      return true;
    default: return true;
  }
}

}  // namespace heddle::topdown
