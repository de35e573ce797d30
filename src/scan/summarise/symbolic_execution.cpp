// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First walk: names for pointers, and the events of the function in the order of its blocks.
#include <algorithm>
#include <cstdlib>

#include "program/model/function_queries.h"
#include "scan/calls/trampolines.h"
#include "scan/summarise/summarise.h"

namespace heddle::scan {

FunctionSummary Summariser::run(FunctionId function) {
  start(function);
  note_writes_to_locals();
  execute();
  flow_locks();
  collect();
  export_summary();
  return std::move(out_);
}

void Summariser::start(FunctionId function) {
  id_ = function;
  f_ = &in_.program.functions[function];
  cfg_ = flow::build_cfg(*f_, flow::Liveness::Skip);
  find_loops();
  nodes_.clear();
  values_.assign(f_->value_count(), {});
  const std::size_t blocks = cfg_.order.size();
  exit_stores_.assign(blocks, {});
  store_.clear();
  start_position_.assign(blocks, 0);
  events_.clear();
  block_events_.assign(blocks, {0, 0});
  calls_.clear();
  tests_.assign(blocks, std::nullopt);
  published_.clear();
  made_.clear();
  thread_owned_.clear();
  given_away_.clear();
  contained_.clear();
  has_lock_events_ = has_thread_events_ = false;
  started_.clear();
  thread_states_.assign(1, {});
  locksets_.assign(1, {});
  in_states_.assign(blocks, {});
  groups_.clear();
  group_ids_.clear();
  exits_.clear();
  out_ = {};
  out_.missing = FunctionSummary::Missing::None;
  rank_ = position_ = instruction_ = 0;
  for (std::uint32_t i = 0; i < f_->parameters.size(); ++i) {
    if (!is_pointer(f_->parameters[i])) continue;
    const TypeId type = keys_.named_pointee(*f_, ValueId(i));
    const bool is_copy = std::ranges::any_of(f_->byval, [&](const ByValue& b) { return b.index == i; });
    const NodeId node =
        is_copy ? nodes_.intern({.kind = NodeKind::Local, .index = i, .type = type}) : nodes_.formal(i, type);
    values_[i] = {.kind = SymbolicValue::Kind::Address, .address = {node, 0}};
  }
}

/// Natural loops, one for each head: what leads to a block that leads back to the head, up to the head.
void Summariser::find_loops() {
  loops_.clear();
  for (std::uint32_t head = 0; head < cfg_.order.size(); ++head) {
    Loop loop{head, {head}, {}};
    for (const BlockId p : cfg_.predecessors[cfg_.order[head].index()])
      if (const std::uint32_t rank = cfg_.rank[p.index()]; rank != flow::Cfg::none_rank && rank >= head)
        loop.tails.push_back(rank);
    if (loop.tails.empty()) continue;
    std::vector<std::uint32_t> open = loop.tails;
    while (!open.empty()) {
      const std::uint32_t rank = open.back();
      open.pop_back();
      const auto at = std::ranges::lower_bound(loop.body, rank);
      if (rank < head || (at != loop.body.end() && *at == rank)) continue;
      loop.body.insert(at, rank);
      for (const BlockId p : cfg_.predecessors[cfg_.order[rank].index()])
        if (cfg_.rank[p.index()] != flow::Cfg::none_rank) open.push_back(cfg_.rank[p.index()]);
    }
    loops_.push_back(std::move(loop));
  }
}

void Summariser::execute() {
  for (std::uint32_t rank = 0; rank < cfg_.order.size(); ++rank) execute_block(rank);
}

Summariser::StoreMap Summariser::entry_store(std::uint32_t rank) {
  const BlockId block = cfg_.order[rank];
  StoreMap out;
  bool is_first = true;
  for (const BlockId from : cfg_.predecessors[block.index()]) {
    const std::uint32_t before = cfg_.rank[from.index()];
    if (before >= rank) continue;  // around a loop; see below
    if (is_first) {
      out = exit_stores_[before];
      is_first = false;
      continue;
    }
    StoreMap both;
    std::ranges::set_intersection(out, exit_stores_[before], std::back_inserter(both),
                                  [](const auto& a, const auto& b) { return a.first < b.first; });
    std::erase_if(both, [&](auto& entry) {
      const auto other = std::ranges::lower_bound(exit_stores_[before], entry.first, {}, &StoreMap::value_type::first);
      // Null leads nowhere: it is the other one that matters.
      if (entry.second.is_null() && other->second.is_address()) entry.second = other->second;
      return !(other->second == entry.second) && !(other->second.is_null() && entry.second.is_address());
    });
    out = std::move(both);
  }
  if (cfg_.is_loop_head[block.index()])
    std::erase_if(out, [&](const auto& entry) {
      const Node& node = nodes_[entry.first.node];
      return node.kind != NodeKind::Local || is_written_from(rank, node.index, entry.first.offset);
    });
  return out;
}

void Summariser::execute_block(std::uint32_t rank) {
  rank_ = rank;
  start_position_[rank] = position_;
  block_events_[rank].first = static_cast<std::uint32_t>(events_.size());
  store_ = entry_store(rank);
  const Block& block = f_->blocks[cfg_.order[rank].index()];
  for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
    instruction_ = i;
    ++position_;
    execute_instruction(i);
  }
  exit_stores_[rank] = std::move(store_);
  store_.clear();
  block_events_[rank].second = static_cast<std::uint32_t>(events_.size());
}

void Summariser::execute_instruction(std::size_t number) {
  const Instruction& instruction = f_->instructions[number];
  const auto operands = f_->operands_of(instruction);
  switch (instruction.opcode) {
    case Opcode::Alloca: {
      const std::uint32_t value = f_->result_of(number).index();
      TypeId type;
      auto name = std::ranges::lower_bound(f_->names, ValueId(value), {}, &ValueName::value);
      for (; name != f_->names.end() && name->value.index() == value; ++name)
        if (name->names_memory) type = name->source_type;
      const NodeId node = nodes_.intern({.kind = NodeKind::Local, .index = value, .type = type});
      return set_value(number, {.kind = SymbolicValue::Kind::Address, .address = {node, 0}});
    }
    case Opcode::Load: return execute_load(number);
    case Opcode::Store: return execute_store(number);
    case Opcode::Gep: return execute_gep(number);
    case Opcode::MemCopy:
    case Opcode::MemSet: {
      const Lvalue to = lvalue_of(operands[0]);
      const SymbolicValue length = value_of(operands[2]);
      const std::uint64_t size =
          length.kind == SymbolicValue::Kind::Number ? static_cast<std::uint64_t>(length.number) : 0;
      if (to.valid()) {
        forget_stores(to.node, ByteRange::everything());
        add_access(to, key_of(to, operands[0]), AccessMode::Write, false, size);
      }
      if (instruction.opcode == Opcode::MemSet) return;
      if (const Lvalue from = lvalue_of(operands[1]); from.valid()) {
        add_access(from, key_of(from, operands[1]), AccessMode::Read, false, size);
        if (to.valid()) contain_copy(to.node, from.node);
      }
      return;
    }
    case Opcode::AtomicRmw:
    case Opcode::CmpXchg:
      if (const Lvalue at = lvalue_of(operands[0]); at.valid()) {
        forget_stores(at.node, ByteRange::everything());
        add_access(at, key_of(at, operands[0]), AccessMode::Write, true, bytes_of(instruction.access_type));
        // A pointer that is exchanged is published like one that is stored.
        if (const SymbolicValue value = value_of(operands.back()); value.is_address())
          contain(at.node, value.address.node);
      }
      return;
    case Opcode::Phi: return execute_phi(number);
    case Opcode::Select: {
      const SymbolicValue a = value_of(operands[1]), b = value_of(operands[2]);
      if (a == b || (a.is_address() && b.is_null())) return set_value(number, a);
      if (a.is_null() && b.is_address()) return set_value(number, b);
      return;
    }
    case Opcode::Freeze:
    case Opcode::Cast: return set_value(number, value_of(operands[0]));
    case Opcode::Call:
    case Opcode::Invoke: return execute_call(number);
    case Opcode::CondBranch: return execute_branch(rank_, instruction);
    case Opcode::Return: return execute_return(instruction);
    default: return;
  }
}

void Summariser::execute_gep(std::size_t number) {
  const Instruction& gep = f_->instructions[number];
  const auto operands = f_->operands_of(gep);
  const GepInfo& info = f_->geps[gep.extra];
  Lvalue base = lvalue_of(operands[0]);
  if (!base.valid()) return;
  if (base.offset == 0 && !nodes_[base.node].type)
    nodes_.learn_type(base.node, in_.targets.sources().of(info.source_type));
  std::uint32_t symbol = 0;
  std::int64_t stride = 0;
  for (std::size_t k = 0; k < info.strides.size(); ++k) {
    if (info.strides[k] == 0) continue;
    // `a[i]` is written with a wider copy of i each time.
    const Operand index = without_casts(*f_, operands[k + 1]);
    symbol = symbol * 31 + (index.is_value() ? index.index() + 1 : 0);
    stride = stride == 0 ? std::abs(info.strides[k]) : std::min(stride, std::abs(info.strides[k]));
  }
  if (stride != 0) base = {nodes_.element(base, static_cast<std::int32_t>(stride), symbol), 0};
  constexpr std::int64_t largest = 1 << 30;
  const std::int64_t offset = base.offset + info.constant_offset;
  if (offset > largest || offset < -largest) return;
  set_value(number, {.kind = SymbolicValue::Kind::Address, .address = {base.node, static_cast<std::int32_t>(offset)}});
}

void Summariser::execute_load(std::size_t number) {
  const Instruction& load = f_->instructions[number];
  const Operand address = f_->operands_of(load)[0];
  const Lvalue from = lvalue_of(address);
  if (!from.valid()) return;
  add_access(from, key_of(from, address), AccessMode::Read, is_marked(load), bytes_of(load.access_type));
  if (is_pointer(load.type))
    set_value(number, load_from(from, keys_.named_pointee(*f_, f_->result_of(number))));
  else if (bytes_of(load.type) * 8 == in_.program.layout.pointer_bits)
    // An atomic operation takes the pointer out of a temporary as a number.
    if (const auto known = std::ranges::lower_bound(store_, from, {}, &StoreMap::value_type::first);
        known != store_.end() && known->first == from && known->second.is_address())
      set_value(number, known->second);
}

/// The pointer in memory: what was stored there, or a name for what it leads to.
SymbolicValue Summariser::load_from(Lvalue from, TypeId type) {
  const auto known = std::ranges::lower_bound(store_, from, {}, &StoreMap::value_type::first);
  if (known != store_.end() && known->first == from) return known->second;
  const Node& node = nodes_[from.node];
  if (node.kind == NodeKind::Local) return {};
  if (node.kind == NodeKind::Global && from.node == nodes_.root(from.node)) {
    // Constant tables say what they hold.
    const Global& global = in_.program.globals[GlobalId(node.index)];
    if (global.is_constant)
      for (const Relocation& word : global.relocations)
        if (static_cast<std::int64_t>(word.offset) == from.offset && word.addend == 0 && word.target.is_function())
          return {.kind = SymbolicValue::Kind::Code, .code = word.target.as_function()};
  }
  if (!type) type = keys_.pointee_at(node.type, from.offset);
  const NodeId target = nodes_.target(from, type);
  if (!target) return {};
  return {.kind = SymbolicValue::Kind::Address, .address = {target, 0}};
}

void Summariser::execute_store(std::size_t number) {
  const Instruction& store = f_->instructions[number];
  const auto operands = f_->operands_of(store);
  const Lvalue to = lvalue_of(operands[1]);
  if (!to.valid()) return;
  add_access(to, key_of(to, operands[1]), AccessMode::Write, is_marked(store), bytes_of(store.access_type));
  move_handle(number, to);
  const SymbolicValue value = value_of(operands[0]);
  if (!is_pointer(store.access_type) && !value.is_address()) return;
  store_to(to, value);
  if (value.is_address()) contain(to.node, value.address.node);
}

void Summariser::store_to(Lvalue to, const SymbolicValue& value) {
  // Another name for the same member may mean the same memory.
  const Node& node = nodes_[to.node];
  if (node.kind != NodeKind::Local)
    std::erase_if(store_, [&](const auto& entry) {
      return entry.first.node != to.node && entry.first.offset == to.offset &&
             nodes_[entry.first.node].kind != NodeKind::Local;
    });
  const auto at = std::ranges::lower_bound(store_, to, {}, &StoreMap::value_type::first);
  if (at != store_.end() && at->first == to)
    at->second = value;
  else if (store_.size() < in_.limits.stores)
    store_.insert(at, {to, value});
}

void Summariser::forget_stores(NodeId node, const ByteRange& bytes) {
  const std::uint32_t pointer = in_.program.layout.pointer_bits / 8;
  std::erase_if(store_, [&](const auto& entry) {
    return entry.first.node == node && bytes.overlaps(ByteRange::at(entry.first.offset, pointer));
  });
}

void Summariser::execute_phi(std::size_t number) {
  const Instruction& phi = f_->instructions[number];
  if (!is_pointer(phi.type)) return;
  const auto operands = f_->operands_of(phi);
  const Operand self = Operand::value(f_->result_of(number));
  SymbolicValue common;
  bool has_common = false;
  for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
    if (operands[k] == self || cfg_.rank[operands[k + 1].index()] == flow::Cfg::none_rank) continue;
    if (cfg_.rank[operands[k + 1].index()] >= rank_) return;  // around a loop: not known yet
    const SymbolicValue one = value_of(operands[k]);
    if (one.is_null()) continue;
    if (one.kind == SymbolicValue::Kind::Unknown || (has_common && !(one == common))) return;
    common = one;
    has_common = true;
  }
  if (has_common) set_value(number, common);
}

void Summariser::execute_return(const Instruction& instruction) {
  const auto operands = f_->operands_of(instruction);
  Exit exit;
  exit.rank = rank_;
  exit.has_value = !operands.empty();
  if (exit.has_value) {
    exit.value = operands[0];
    exit.symbolic = value_of(operands[0]);
    // What is returned locked needs a name.
    if (has_lock_events_ && exit.symbolic.kind == SymbolicValue::Kind::Unknown && operands[0].is_value() &&
        !f_->is_parameter(operands[0].as_value()) &&
        is_pointer(f_->instructions[f_->definition(operands[0].as_value())].type))
      exit.symbolic = {.kind = SymbolicValue::Kind::Address, .address = lvalue_of(operands[0])};
  }
  exit.store = store_;
  exits_.push_back(std::move(exit));
}

void Summariser::add_access(Lvalue where, MemberKey key, AccessMode mode, bool is_atomic, std::uint64_t size) {
  const Node& root = nodes_[nodes_.root(where.node)];
  if (root.kind == NodeKind::Global && nodes_[where.node].depth == 0) {
    const Global& global = in_.program.globals[GlobalId(root.index)];
    if (global.is_thread_local || (global.is_constant && mode == AccessMode::Read)) return;
  }
  constexpr std::uint64_t largest = 1 << 30;
  events_.push_back({.kind = Event::Kind::Access,
                     .mode = mode,
                     .flag = is_atomic,
                     .position = position_,
                     .instruction = instruction_,
                     .number = static_cast<std::uint32_t>(std::min(size, largest)),
                     .where = where,
                     .key = key});
}

bool Summariser::is_marked(const Instruction& access) const {
  return access.is_atomic() ||
         (in_.volatile_is_marked && in_.assumptions.marked_volatile && access.has_flag(Instruction::is_volatile));
}

bool Summariser::is_pointer(TypeId type) const { return type && in_.program.types[type].kind == TypeKind::Pointer; }

std::uint32_t Summariser::bytes_of(TypeId type) const {
  return type ? static_cast<std::uint32_t>(in_.program.types[type].size_bytes()) : 0;
}

ScanInput make_input(const Program& program, const api::ApiModels& models, const CallTargets& targets,
                     const Limits& limits) {
  ScanInput input{program, targets, StableIds(program), {}, find_trampolines(program), limits};
  input.volatile_is_marked = models.volatile_is_marked();
  for (const Function& function : program.functions)
    input.models.push_back(function.has_body() ? models.find_wrapper(function.name) : models.find(function.name));
  return input;
}

}  // namespace heddle::scan
