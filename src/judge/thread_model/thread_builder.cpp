// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks and instructions.
#include "judge/thread_model/thread_builder.h"

#include <algorithm>
#include <utility>

#include "program/model/function_queries.h"

namespace heddle::judge::transaction {

void ThreadBuilder::build(const StartedThread& started, bool is_main) {
  const PointIndex ended = point(), exits = point(), begin = point();
  HEDDLE_CHECK(ended == Thread::ended && exits == Thread::exits && begin == Thread::begin, "a thread begins otherwise");
  at_ = begin;
  if (is_main)
    for (const FunctionId early : program_.constructors) {
      const auto context = shop_.memory.points().root(early);
      if (!context) throw NoModel{"a function without a body runs before main"};
      run(early, *context);
    }
  Frame frame;
  frame.id = started.entry;
  frame.context = started.context;
  frame.function = &program_.functions[started.entry];
  thread_.name = std::string(frame.function->shown_name());
  frame.number = shop_.frames++;
  // What is handed over has the width of a pointer, whatever the entry makes of it.
  const auto& parameters = frame.function->parameters;
  const bool fits = !parameters.empty() && number_bits(parameters[0]) == program_.layout.pointer_bits;
  if (!is_main && fits) frame.arguments.push_back(started.argument);
  frame.targets = started.targets;
  if (!is_main && fits) frame.argument_is_it = started.is_it;
  const PointIndex behind = is_main ? end_of_program() : started.after ? point() : ended;
  frame.behind = behind;
  function(frame, at_);
  if (!started.after) return;
  at_ = behind;
  run(started.after, started.after_context);
  connect(at_, ended, {});
}

/// A function that nobody calls, with an argument of which its context tells.
void ThreadBuilder::run(FunctionId id, alias::ContextId context) {
  Frame frame;
  frame.id = id;
  frame.context = context;
  frame.function = &program_.functions[id];
  frame.number = shop_.frames++;
  const PointIndex begin = point(), behind = point();
  connect(at_, begin, {});
  frame.behind = behind;
  function(frame, begin);
  at_ = behind;
  acts_ = {};
  is_over_ = false;
}

Thread ThreadBuilder::take_thread() {
  if (end_ && late_ == 0) {  // nothing runs there
    for (Point& point : thread_.points)
      for (Edge& edge : point.edges)
        if (edge.to == *end_) edge.to = Thread::exits;
  }
  return std::move(thread_);
}

PointIndex ThreadBuilder::point() {
  if (++shop_.points > shop_.most_points) throw NoModel{"its model would be too large"};
  thread_.points.emplace_back();
  return static_cast<PointIndex>(thread_.points.size() - 1);
}

void ThreadBuilder::connect(PointIndex from, PointIndex to, std::vector<Act> acts) {
  thread_.points[from].edges.push_back({to, std::move(acts)});
}

void ThreadBuilder::stop_here() {
  if (acts_.empty()) return;
  const PointIndex next = point();
  connect(at_, next, std::move(acts_));
  acts_ = {};
  at_ = next;
}

void ThreadBuilder::stop_once() {
  if (acts_.empty() || !std::holds_alternative<Visit>(acts_.back())) stop_here();
}

/// What the form is, or, if it is not known, any number of the range.
Act ThreadBuilder::becomes(VariableIndex target, const std::optional<LinearForm>& form, Interval range, bool wraps) {
  if (form) return Assign{target, *form, range, wraps};
  return Forget{target, range};
}

/// Only blocks that an edge leads to: of a switch over a constant, one case.
void ThreadBuilder::function(Frame& frame, PointIndex begin) {
  const Function& f = *frame.function;
  for (std::size_t b = 0; b < f.blocks.size(); ++b) frame.blocks.push_back(b == 0 ? begin : point());
  frame.is_reached.assign(f.blocks.size(), false);
  frame.is_reached[0] = true;
  std::vector<bool> is_built(f.blocks.size());
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (std::size_t b = 0; b < f.blocks.size(); ++b) {
      if (!frame.is_reached[b] || is_built[b]) continue;
      is_built[b] = is_new = true;
      block(frame, BlockId(b));
    }
  }
}

void ThreadBuilder::block(Frame& frame, BlockId id) {
  const Block& b = frame.function->blocks[id.index()];
  at_ = frame.blocks[id.index()];
  acts_.clear();
  is_over_ = false;
  for (std::uint32_t i = b.first; i < b.first + b.count && !is_over_; ++i) {
    const Instruction& code = frame.function->instructions[i];
    frame.invoke = code.opcode == Opcode::Invoke ? &code : nullptr;
    frame.invoke_block = id;
    frame.landing_pad.reset();
    if (!code.is_terminator() || frame.invoke != nullptr) instruction(frame, i);
    if (code.is_terminator() && !is_over_) return terminator(frame, id, code);
  }
}

void ThreadBuilder::visit(const Frame& frame, std::uint32_t index, Operand pointer, std::uint64_t bytes) {
  const Place place{frame.id, index};
  if (!shop_.options.places.contains(place)) return;
  stop_here();
  std::optional<LinearForm> address = bytes == 0 ? std::nullopt : number(frame, pointer);
  if (const auto exact = memory(frame, pointer); bytes != 0 && exact && exact->is_single())
    address = LinearForm::variable(shop_.names.address(exact->object), 1, exact->offset);
  visit_element(frame, pointer, {place, std::move(address), bytes});
  shop_.visited.insert(place);
}

void ThreadBuilder::any_result(const Frame& frame, std::uint32_t index) {
  const TypeId type = frame.function->instructions[index].type;
  if (number_bits(type) != 0) result(frame, index, number_range(type));
}

void ThreadBuilder::result(const Frame& frame, std::uint32_t index, Interval range) {
  add(Forget{local(frame, index), range});
}

void ThreadBuilder::result(const Frame& frame, std::uint32_t index, const std::optional<LinearForm>& form, bool wraps) {
  add(becomes(local(frame, index), form, number_range(frame.function->instructions[index].type), wraps));
}

void ThreadBuilder::instruction(Frame& frame, std::uint32_t index) {
  const Instruction& code = frame.function->instructions[index];
  switch (code.opcode) {
    case Opcode::Load: return load(frame, index, code);
    case Opcode::Select: return select(frame, index, code);
    case Opcode::Phi: return;  // an act of the edges to its block
    default: break;
  }
  tell(frame, index, std::nullopt);  // calls and updates may say more
  tell_bits(frame, index, std::nullopt);
  switch (code.opcode) {
    case Opcode::Store: return store(frame, code);
    case Opcode::AtomicRmw: return update(frame, index, code);
    case Opcode::CmpXchg: return exchange(frame, index, code);
    case Opcode::Binary: return binary(frame, index, code);
    case Opcode::Cast: return cast(frame, index, code);
    case Opcode::Call:
    case Opcode::Invoke: return call(frame, index, code);
    case Opcode::Freeze: {
      if (number_bits(code.type) != 0) result(frame, index, number(frame, frame.function->operands_of(code)[0]), false);
      return;
    }
    case Opcode::MemCopy: return copy_bytes(frame, index, code);
    case Opcode::MemSet: return set_bytes(frame, index, code);
    case Opcode::Unsupported: throw NoModel{"it has an instruction that is not understood"};
    case Opcode::Compare: return is_kept(frame, index) ? decide(frame, index) : any_result(frame, index);
    case Opcode::Alloca:
    case Opcode::VaArg:
    case Opcode::ExtractElement: return any_result(frame, index);
    case Opcode::ExtractValue: {
      const unsigned bits = number_bits(code.type);
      if (bits == 0) return;
      const Operand from = frame.function->operands_of(code)[0];
      const Instruction* source = definition_of(*frame.function, from);
      const auto path = frame.function->indices[code.extra];
      if (source == nullptr || source->opcode != Opcode::CmpXchg || path.size() != 1)
        return result(frame, index, number_range(code.type));
      const auto origin = static_cast<std::uint32_t>(source - frame.function->instructions.data());
      const VariableIndex part = local(frame, origin, static_cast<std::uint32_t>(path[0]) + 1);
      return result(frame, index, LinearForm::variable(part), false);
    }
    default: return;  // addresses, floats, vectors, aggregates
  }
}

void ThreadBuilder::binary(Frame& frame, std::uint32_t index, const Instruction& code) {
  const unsigned bits = number_bits(code.type);
  if (bits == 0) return;
  const auto operands = frame.function->operands_of(code);
  const Interval all = Interval::of_width(bits);
  if (bits == 1) return is_kept(frame, index) ? decide(frame, index) : result(frame, index, all);
  const auto left = number(frame, operands[0]), right = number(frame, operands[1]);
  const auto constant = [](const std::optional<LinearForm>& form) -> std::optional<std::int64_t> {
    return form && form->terms.empty() ? std::optional(form->constant) : std::nullopt;
  };
  constexpr bool wraps = true;  // also where C leaves it undefined: `defined-behaviour` does not promise that
  const auto by = constant(right);
  switch (code.binary_op()) {
    case BinaryOp::Add: return result(frame, index, left && right ? sum(*left, *right) : std::nullopt, wraps);
    case BinaryOp::Sub: return result(frame, index, left && right ? sum(*left, *right, -1) : std::nullopt, wraps);
    case BinaryOp::Mul: {
      const auto other = constant(left);
      if (by && left) return result(frame, index, sum(LinearForm::number(0), *left, *by), wraps);
      if (other && right) return result(frame, index, sum(LinearForm::number(0), *right, *other), wraps);
      return result(frame, index, all);
    }
    case BinaryOp::Shl:
      if (by && *by >= 0 && *by < bits && *by < 62 && left)
        return result(frame, index, sum(LinearForm::number(0), *left, std::int64_t{1} << *by), true);
      return result(frame, index, all);
    case BinaryOp::And: {
      const auto other = constant(left);
      const std::int64_t mask = by && *by >= 0 ? *by : other && *other >= 0 ? *other : -1;
      if (const auto form = masked(frame, operands[mask == by ? 0 : 1], mask)) return result(frame, index, form, false);
      return result(frame, index, mask >= 0 ? Interval{0, mask} : all);
    }
    case BinaryOp::LShr:
      return result(frame, index,
                    by && *by > 0 && *by < bits
                        ? Interval{0, Interval::of_width(bits - static_cast<unsigned>(*by) + 1).high}
                        : all);
    case BinaryOp::URem: return result(frame, index, by && *by > 0 ? Interval{0, *by - 1} : all);
    case BinaryOp::SRem: return result(frame, index, by && *by > 0 ? Interval{1 - *by, *by - 1} : all);
    default: return result(frame, index, all);
  }
}

void ThreadBuilder::cast(Frame& frame, std::uint32_t index, const Instruction& code) {
  const unsigned bits = number_bits(code.type);
  if (bits == 0) return;
  const Operand source = frame.function->operands_of(code)[0];
  const unsigned from = bits_of(frame, source);
  const auto form = from == 0 ? std::nullopt : number(frame, source);
  const Interval all = number_range(code.type);
  switch (code.cast_op()) {
    case CastOp::SExt:
      if (from == 1) return result(frame, index, Interval{-1, 0});
      return result(frame, index, form, false);
    case CastOp::ZExt:
      if (from == 0) return result(frame, index, all);
      {
        const Interval range{0, from == 1 ? 1 : static_cast<std::int64_t>((std::uint64_t{1} << from) - 1)};
        return add(becomes(local(frame, index), form, range, true));
      }
    case CastOp::PtrToInt:
    case CastOp::IntToPtr: return result(frame, index, from == bits ? form : std::nullopt, true);
    case CastOp::Trunc:
      if (bits == 1) return is_kept(frame, index) ? decide(frame, index) : result(frame, index, all);
      return result(frame, index, form, true);
    default: return result(frame, index, all);
  }
}

unsigned ThreadBuilder::bits_of(const Frame& frame, Operand operand) const {
  if (operand.is_constant()) return number_bits(program_.constants[operand.as_constant()].type);
  if (!operand.is_value()) return 0;
  const ValueId value = operand.as_value();
  const Function& f = *frame.function;
  return number_bits(f.is_parameter(value) ? f.parameters[value.index()] : f.instructions[f.definition(value)].type);
}

void ThreadBuilder::select(Frame& frame, std::uint32_t index, const Instruction& code) {
  if (number_bits(code.type) == 0) return;
  const auto operands = frame.function->operands_of(code);
  stop_here();
  const PointIndex from = at_, behind = point();
  for (const bool truth : {true, false})
    for (std::vector<Act>& way : ways(frame, operands[0], truth)) {
      acts_ = std::move(way);
      result(frame, index, number(frame, operands[truth ? 1 : 2]), false);
      tell(frame, index, is_it(frame, operands[truth ? 1 : 2]));
      tell_bits(frame, index, operands[truth ? 1 : 2]);
      connect(from, behind, std::exchange(acts_, {}));
    }
  at_ = behind;
}

/// The edge to a block, with what its phis become. They all read what was there before.
void ThreadBuilder::branch(Frame& frame, PointIndex at, BlockId from, BlockId to, std::vector<Act> acts) {
  const Function& f = *frame.function;
  frame.is_reached[to.index()] = true;
  const Block& target = f.blocks[to.index()];
  std::vector<Act> moves;
  for (std::uint32_t i = target.first; i < target.first + target.count; ++i) {
    const Instruction& phi = f.instructions[i];
    if (phi.opcode != Opcode::Phi) break;
    if (number_bits(phi.type) == 0) continue;
    const auto operands = f.operands_of(phi);
    for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
      if (operands[k + 1].as_block() != from) continue;
      const Interval range = number_range(phi.type);
      const VariableIndex next = local(frame, i, 1);
      acts.push_back(becomes(next, number(frame, operands[k]), range));
      moves.push_back(Assign{local(frame, i), LinearForm::variable(next), range, false});
      if (auto told = tell_phi(frame, i, operands[k], acts)) moves.push_back(std::move(*told));
      tell_phi_bits(frame, i, operands[k], acts, moves);
      break;
    }
  }
  acts.insert(acts.end(), moves.begin(), moves.end());
  connect(at, frame.blocks[to.index()], std::move(acts));
}

void ThreadBuilder::terminator(Frame& frame, BlockId block, const Instruction& code) {
  const auto operands = frame.function->operands_of(code);
  switch (code.opcode) {
    case Opcode::Return: {
      if (frame.result && !operands.empty()) {
        const Interval range = number_range(program_.types[frame.function->type].element);
        add(becomes(*frame.result, number(frame, operands[0]), range));
        if (frame.result_is_it) add(becomes(*frame.result_is_it, is_it(frame, operands[0]), {0, 1}));
        tell_returned_bits(frame, operands[0]);
      }
      if (frame.owns_section) {
        stop_here();
        add(Give{shop_.names.lock(std::string(section_name))});
      }
      return connect(at_, frame.behind, std::move(acts_));
    }
    case Opcode::Branch: return branch(frame, block, operands[0].as_block(), std::move(acts_));
    case Opcode::Invoke: return branch(frame, block, operands[operands.size() - 2].as_block(), std::move(acts_));
    case Opcode::Resume: return leave_by_exception(frame);
    case Opcode::CondBranch:
      for (const bool truth : {true, false})
        for (const std::vector<Act>& way : ways(frame, operands[0], truth)) {
          std::vector<Act> acts = acts_;
          acts.insert(acts.end(), way.begin(), way.end());
          branch(frame, block, operands[truth ? 1 : 2].as_block(), std::move(acts));
        }
      return;
    case Opcode::Switch: {
      const auto value = number(frame, operands[0]);
      std::vector<Act> others = acts_;
      for (std::size_t k = 2; k + 1 < operands.size(); k += 2) {
        std::vector<Act> acts = acts_;
        const auto label = number(frame, operands[k]);
        if (value && label && value->terms.empty() && label->terms.empty()) {  // it is known which case it is
          if (*value != *label) continue;
          return branch(frame, block, operands[k + 1].as_block(), std::move(acts));
        }
        if (value && label) {
          acts.push_back(Guard{Predicate::Eq, *value, *label});
          others.push_back(Guard{Predicate::Ne, *value, *label});
        }
        branch(frame, block, operands[k + 1].as_block(), std::move(acts));
      }
      return branch(frame, block, operands[1].as_block(), std::move(others));
    }
    case Opcode::Unreachable: return;
    default: throw NoModel{"it has computed jumps"};
  }
}

}  // namespace heddle::judge::transaction
