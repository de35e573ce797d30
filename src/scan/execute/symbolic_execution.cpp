// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/symbolic_execution.h"

#include <algorithm>
#include <cstdlib>

#include "program/model/function_queries.h"
#include "program/model/library_globals.h"

namespace heddle::scan {
namespace {

bool keeps_number(CastOp cast, std::int64_t number) {
  switch (cast) {
    case CastOp::SExt:
    case CastOp::Bitcast:
    case CastOp::PtrToInt:
    case CastOp::IntToPtr: return true;
    case CastOp::ZExt: return number >= 0;
    case CastOp::Trunc: return number == 0 || number == 1;
    default: return false;
  }
}

}  // namespace

void SymbolicExecution::run() {
  for (std::uint32_t rank = 0; rank < state_.body.block_count(); ++rank) execute_block(rank);
  state_.done.publication.finish(state_.done.at);
}

void SymbolicExecution::execute_block(std::uint32_t rank) {
  Execution& done = state_.done;
  done.at.rank = rank;
  done.publication.enter_block();
  done.block_events[rank].first = static_cast<std::uint32_t>(done.events.size());
  state_.stores.enter_block(rank);
  const Block& block = state_.body.block(rank);
  for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
    done.at.instruction = i;
    ++done.at.position;
    execute(i);
  }
  state_.stores.leave_block(rank);
  done.block_events[rank].second = static_cast<std::uint32_t>(done.events.size());
}

void SymbolicExecution::execute(std::size_t number) {
  const Instruction& instruction = state_.f.instructions[number];
  switch (instruction.opcode) {
    case Opcode::Alloca: return execute_alloca(number);
    case Opcode::Load: return execute_load(number);
    case Opcode::Store: return execute_store(number);
    case Opcode::Gep: return execute_gep(number);
    case Opcode::MemCopy:
    case Opcode::MemSet: return execute_transfer(instruction);
    case Opcode::AtomicRmw:
    case Opcode::CmpXchg: return execute_exchange(instruction);
    case Opcode::Compare: return execute_compare(number);
    case Opcode::Phi: return execute_phi(number);
    case Opcode::Select: return execute_select(number);
    case Opcode::Freeze:
    case Opcode::Cast: return execute_cast(number);
    case Opcode::Call:
    case Opcode::Invoke: return execute_call(number);
    case Opcode::CondBranch:
      state_.done.tests[state_.done.at.rank] = find_test(state_.in, state_.f, state_.names, instruction);
      return;
    case Opcode::Return: return execute_return(instruction);
    case Opcode::Resume: return state_.end_locals();
    default: return;
  }
}

/// A number may become another.
void SymbolicExecution::execute_cast(std::size_t number) {
  const Instruction& cast = state_.f.instructions[number];
  const Operand operand = state_.f.operands_of(cast)[0];
  const SymbolicValue value = state_.names.value_of(operand);
  const bool is_number = cast.opcode == Opcode::Cast && value.is_number();
  // Of one bit, the number that is not zero is -1.
  if (is_number && cast.cast_op() == CastOp::ZExt && value.number == -1 && is_one_bit(operand))
    return state_.names.set(number, SymbolicValue::constant(1));
  if (is_number && !keeps_number(cast.cast_op(), value.number)) return;
  state_.names.set(number, value);
}

bool SymbolicExecution::is_one_bit(Operand operand) const {
  const Function& f = state_.f;
  if (!operand.is_value()) return false;
  const ValueId value = operand.as_value();
  const TypeId type = f.is_parameter(value) ? f.parameters[value.index()] : f.instructions[f.definition(value)].type;
  return type && state_.in.program.types[type].value_bits == 1;
}

/// Whether two numbers are equal; other questions stay open.
void SymbolicExecution::execute_compare(std::size_t number) {
  const Instruction& compare = state_.f.instructions[number];
  const auto operands = state_.f.operands_of(compare);
  const SymbolicValue a = state_.names.value_of(operands[0]), b = state_.names.value_of(operands[1]);
  if (!a.is_number() || !b.is_number()) return;
  const auto set = [&](bool is_so) { state_.names.set(number, SymbolicValue::constant(is_so ? -1 : 0)); };
  if (compare.predicate() == Predicate::Eq) set(a.number == b.number);
  if (compare.predicate() == Predicate::Ne) set(a.number != b.number);
}

void SymbolicExecution::execute_alloca(std::size_t number) {
  const Function& f = state_.f;
  const std::uint32_t value = f.result_of(number).index();
  TypeId type;
  auto name = std::ranges::lower_bound(f.names, ValueId(value), {}, &ValueName::value);
  for (; name != f.names.end() && name->value.index() == value; ++name)
    if (name->names_memory) type = name->source_type;
  const NodeId node = state_.nodes.intern({.kind = NodeKind::Local, .index = value, .type = type});
  state_.names.set(number, SymbolicValue::at({node, 0}));
}

void SymbolicExecution::execute_load(std::size_t number) {
  const Instruction& load = state_.f.instructions[number];
  const Operand address = state_.f.operands_of(load)[0];
  const Lvalue from = state_.names.lvalue_of(address);
  if (!from.valid()) return;
  state_.add_access(from, state_.names.key_of(from, address), AccessKind::Read, is_marked(load),
                    state_.in.bytes_of(load.access_type), 0);
  const Node& node = state_.names.nodes()[from.node];
  if (node.kind == NodeKind::Global && is_single_threaded_flag(state_.in.program.globals[GlobalId(node.index)]))
    return state_.names.set(number, SymbolicValue::constant(0));
  if (state_.in.is_pointer(load.type)) {
    const TypeId type = state_.names.keys().named_pointee(state_.f, state_.f.result_of(number));
    return state_.names.set(number, state_.stores.load(from, type));
  }
  // An atomic operation takes the pointer out of a temporary as a number.
  if (state_.in.bytes_of(load.type) != state_.in.word_bytes()) return;
  if (const SymbolicValue* known = state_.stores.find(from); known != nullptr && known->is_address())
    state_.names.set(number, *known);
}

void SymbolicExecution::execute_store(std::size_t number) {
  const Instruction& store = state_.f.instructions[number];
  const auto operands = state_.f.operands_of(store);
  const Lvalue to = state_.names.lvalue_of(operands[1]);
  if (!to.valid()) return;
  state_.add_access(to, state_.names.key_of(to, operands[1]), AccessKind::Write, is_marked(store),
                    state_.in.bytes_of(store.access_type), 1);
  move_handle(operands[0], to);
  const SymbolicValue value = state_.names.value_of(operands[0]);
  if (!state_.in.is_pointer(store.access_type) && !value.is_address()) {
    const auto size = static_cast<std::uint32_t>(state_.in.bytes_of(store.access_type));
    if (size >= state_.in.word_bytes()) state_.stores.forget(to.node, ByteRange::at(to.offset, size));
    return;
  }
  state_.overwrite_others(to);
  state_.stores.store(to, value);
  if (!value.is_address()) return;
  state_.done.publication.contain(to.node, value.address.node);
  for (const Lvalue& one : state_.names.meanings(to)) state_.done.publication.contain(one.node, value.address.node);
}

/// A handle that a call returned is stored: the thread is known by that memory from now on.
void SymbolicExecution::move_handle(Operand stored, Lvalue to) {
  if (!state_.done.may_spawn || !stored.is_value() || state_.f.is_parameter(stored.as_value()) ||
      !state_.done.threads.returns_handle(stored.as_value()))
    return;
  state_.done.has_thread_events = true;
  state_.done.add(SymbolicEvent::Kind::Move).where = to;
}

void SymbolicExecution::execute_gep(std::size_t number) {
  const Instruction& gep = state_.f.instructions[number];
  const auto operands = state_.f.operands_of(gep);
  const GepInfo& info = state_.f.geps[gep.extra];
  Lvalue base = state_.names.lvalue_of(operands[0]);
  if (!base.valid()) return;
  if (base.offset == 0 && !state_.nodes[base.node].type)
    state_.nodes.learn_type(base.node, state_.in.targets.sources().of(info.source_type));
  std::uint32_t symbol = 0;
  std::int64_t stride = 0;
  for (std::size_t k = 0; k < info.strides.size(); ++k) {
    if (info.strides[k] == 0) continue;
    // `a[i]` is written with a wider copy of i each time.
    const Operand index = without_casts(state_.f, operands[k + 1]);
    symbol = symbol * 31 + (index.is_value() ? index.index() + 1 : 0);
    stride = stride == 0 ? std::abs(info.strides[k]) : std::min(stride, std::abs(info.strides[k]));
  }
  if (stride != 0) base = {state_.nodes.element(base, static_cast<std::int32_t>(stride), symbol), 0};
  constexpr std::int64_t largest = 1 << 30;
  const std::int64_t offset = base.offset + info.constant_offset;
  if (offset > largest || offset < -largest) return;
  state_.names.set(number, SymbolicValue::at({base.node, static_cast<std::int32_t>(offset)}));
  if (offset <= 0) learn_whole(number, {base.node, static_cast<std::int32_t>(offset)});
}

/// `struct reg *r = container_of(work, struct reg, work)`: the declaration says what lies there.
void SymbolicExecution::learn_whole(std::size_t number, Lvalue at) {
  const TypeId type = state_.names.keys().named_pointee(state_.f, state_.f.result_of(number));
  if (!type || state_.in.program.types[type].kind != TypeKind::Struct) return;
  const TypeId part = state_.nodes[at.node].type;
  if (!part || part == type || state_.in.program.types[part].kind != TypeKind::Struct) return;
  if (state_.names.keys().at(type, -at.offset).record) state_.nodes.learn_whole(at.node, type, at.offset);
}

/// Copies or fills a range of bytes.
void SymbolicExecution::execute_transfer(const Instruction& instruction) {
  const auto operands = state_.f.operands_of(instruction);
  const Lvalue to = state_.names.lvalue_of(operands[0]);
  const SymbolicValue length = state_.names.value_of(operands[2]);
  const std::uint64_t size = length.is_number() ? static_cast<std::uint64_t>(length.number) : 0;
  if (to.valid()) {
    state_.stores.forget_all(to.node);
    state_.add_access(to, state_.names.key_of(to, operands[0]), AccessKind::Write, false, size, 0);
  }
  if (instruction.opcode == Opcode::MemSet) return;
  const Lvalue from = state_.names.lvalue_of(operands[1]);
  if (!from.valid()) return;
  state_.add_access(from, state_.names.key_of(from, operands[1]), AccessKind::Read, false, size, 1);
  if (to.valid()) state_.done.publication.contain_copy(to.node, from.node);
}

/// An atomic read-modify-write. A pointer that is exchanged is published like one that is stored.
void SymbolicExecution::execute_exchange(const Instruction& instruction) {
  const auto operands = state_.f.operands_of(instruction);
  const Lvalue at = state_.names.lvalue_of(operands[0]);
  if (!at.valid()) return;
  state_.stores.forget_all(at.node);
  state_.add_access(at, state_.names.key_of(at, operands[0]), AccessKind::Write, true,
                    state_.in.bytes_of(instruction.access_type), 0);
  if (const SymbolicValue value = state_.names.value_of(operands.back()); value.is_address())
    state_.done.publication.contain(at.node, value.address.node);
}

void SymbolicExecution::execute_phi(std::size_t number) {
  const Instruction& phi = state_.f.instructions[number];
  if (!state_.in.is_pointer(phi.type)) return;
  const auto operands = state_.f.operands_of(phi);
  const auto& ranks = state_.body.cfg.rank;
  const Operand self = Operand::value(state_.f.result_of(number));
  SymbolicValue common;
  bool has_common = false;
  for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
    const std::uint32_t from = ranks[operands[k + 1].index()];
    if (operands[k] == self || from == flow::Cfg::none_rank) continue;
    if (from >= state_.done.at.rank) return;  // around a loop: not known yet
    const SymbolicValue one = state_.names.value_of(operands[k]);
    if (one.leads_nowhere()) continue;
    if (one.is_unknown() || (has_common && !(one == common))) return;
    common = one;
    has_common = true;
  }
  if (has_common) state_.names.set(number, common);
}

void SymbolicExecution::execute_select(std::size_t number) {
  const auto operands = state_.f.operands_of(state_.f.instructions[number]);
  const SymbolicValue a = state_.names.value_of(operands[1]), b = state_.names.value_of(operands[2]);
  if (a == b || (a.is_address() && b.leads_nowhere())) return state_.names.set(number, a);
  if (a.leads_nowhere() && b.is_address()) return state_.names.set(number, b);
}

void SymbolicExecution::execute_call(std::size_t number) {
  const Instruction& call = state_.f.instructions[number];
  const auto operands = state_.f.operands_of(call);
  if (operands.empty()) return;
  const auto arguments = state_.f.arguments_of(call);
  if (operands[0].kind() == Operand::Kind::Asm) {
    return state_.in.assumptions.inline_assembly ? calls_.forget_all(arguments) : calls_.touch_all(arguments);
  }
  const SymbolicValue callee = state_.names.value_of(operands[0]);
  if (!callee.is_code()) {
    calls_.call_pointer(operands[0], arguments);
    const auto targets = state_.in.targets.of(state_.body.id, static_cast<std::uint32_t>(number));
    for (const FunctionId target : targets)
      if (!state_.in.program.functions[target].has_body()) call_library(target, arguments, targets.size() == 1);
    // Several targets: it is not known which of their results it is.
    if (targets.size() > 1) state_.names.set(number, {});
    return;
  }
  if (state_.in.models[callee.code.index()] == nullptr && state_.in.program.functions[callee.code].has_body())
    return calls_.call(callee.code, arguments, false);
  call_library(callee.code, arguments, true);
}

void SymbolicExecution::call_library(FunctionId callee, std::span<const Operand> arguments, bool is_sure) {
  if (state_.in.models[callee.index()] != nullptr) return library_.apply(callee, arguments, is_sure);
  if (state_.in.assumptions.library_reach) {
    if (!state_.in.program.functions[callee].is_intrinsic) calls_.forget_all(arguments);
    return;
  }
  calls_.touch_all(arguments);
  library_.memory().change_errno();
}

void SymbolicExecution::execute_return(const Instruction& instruction) {
  const Function& f = state_.f;
  const auto operands = f.operands_of(instruction);
  ReturnPoint& point = state_.done.returns.emplace_back();
  point.rank = state_.done.at.rank;
  point.has_value = !operands.empty();
  point.stores = state_.stores.now();
  state_.end_locals();
  if (!point.has_value) return;
  point.value = operands[0];
  point.symbolic = state_.names.value_of(operands[0]);
  // What is returned locked needs a name.
  if (state_.done.has_lock_events && point.symbolic.is_unknown() && operands[0].is_value() &&
      !f.is_parameter(operands[0].as_value()) &&
      state_.in.is_pointer(f.instructions[f.definition(operands[0].as_value())].type))
    point.symbolic = SymbolicValue::at(state_.names.lvalue_of(operands[0]));
}

bool SymbolicExecution::is_marked(const Instruction& access) const {
  return access.is_atomic() || (state_.in.volatile_is_marked && state_.in.assumptions.marked_volatile &&
                                access.has_flag(Instruction::is_volatile));
}

}  // namespace heddle::scan
