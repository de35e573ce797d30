// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/locks/term_summaries.h"

#include <algorithm>

#include "base/contains.h"
#include "program/model/accessed_bytes.h"

namespace heddle::alias {
namespace {

bool has_copy(std::span<const ByValue> copies, std::uint32_t index) {
  return std::ranges::any_of(copies, [&](const ByValue& one) { return one.index == index && one.bytes != 0; });
}

}  // namespace

TermSummaries::TermSummaries(MemoryWrites& memory) : memory_(memory), program_(memory.program()) {}

const TermSummaries::Flow& TermSummaries::flow_of(FunctionId id) {
  const auto [at, is_new] = flows_.try_emplace(id);
  if (!is_new) return at->second;
  const Function& function = program_.functions[id];
  Flow& flow = at->second;
  flow.cfg = flow::build_cfg(function, flow::Liveness::Skip);
  flow.block_of.resize(function.instructions.size());
  for (std::uint32_t b = 0; b < function.blocks.size(); ++b)
    for (std::uint32_t i = 0; i < function.blocks[b].count; ++i) flow.block_of[function.blocks[b].first + i] = b;
  return flow;
}

/// Whether a way leads from a block back to it.
bool TermSummaries::is_in_cycle(const Flow& flow, std::uint32_t block) {
  std::vector<bool> seen(flow.cfg.successors.size());
  std::vector<BlockId> open(flow.cfg.successors[block]);
  while (!open.empty()) {
    const BlockId at = open.back();
    open.pop_back();
    if (at.index() == block) return true;
    if (seen[at.index()]) continue;
    seen[at.index()] = true;
    open.insert(open.end(), flow.cfg.successors[at.index()].begin(), flow.cfg.successors[at.index()].end());
  }
  return false;
}

/// Algorithm 2 for one pointer and one point: the term at the beginning of each block that leads there.
class TermSummaries::Walk {
 public:
  Walk(TermSummaries& summaries, FunctionId id)
      : summaries_(summaries),
        function_(summaries.program_.functions[id]),
        id_(id),
        flow_(summaries.flow_of(id)),
        at_end_(function_.blocks.size()),
        at_begin_(function_.blocks.size()) {}

  /// One more point to start from. `point` is an instruction; the walk begins in front of it.
  void begin(std::uint32_t point, const LockTerm& term) {
    const std::uint32_t block = flow_.block_of[point];
    if (flow_.cfg.rank[block] == flow::Cfg::none_rank) return;
    walk_block(block, point, term);
  }

  std::optional<LockTerm> finish() {
    while (!has_failed_ && !open_.empty()) {
      const std::uint32_t block = flow_.cfg.order[*open_.rbegin()].index();  // successors first
      open_.erase(std::prev(open_.end()));
      const Block& code = function_.blocks[block];
      walk_block(block, code.first + code.count, *at_end_[block]);
    }
    return has_failed_ ? std::nullopt : at_begin_[0];
  }

 private:
  /// From in front of an instruction to the beginning of its block, and on to those before it.
  void walk_block(std::uint32_t block, std::uint32_t end, LockTerm term) {
    for (std::uint32_t i = end; i > function_.blocks[block].first && !has_failed_; --i) {
      if (function_.instructions[i - 1].opcode == Opcode::Phi) break;
      if (auto before = summaries_.back(id_, i - 1, term))
        term = std::move(*before);
      else
        has_failed_ = true;
    }
    if (has_failed_ || !meet(at_begin_[block], term)) return;
    for (const BlockId from : flow_.cfg.predecessors[block]) {
      if (flow_.cfg.rank[from.index()] == flow::Cfg::none_rank) continue;
      const std::optional<LockTerm> entering = across_edge(from, block, term);
      if (!entering)
        has_failed_ = true;
      else if (meet(at_end_[from.index()], *entering))
        open_.insert(flow_.cfg.rank[from.index()]);
    }
  }

  /// Whether it is new there; another one than before is nothing, for the whole walk.
  bool meet(std::optional<LockTerm>& known, const LockTerm& term) {
    if (known && *known != term) has_failed_ = true;
    if (known) return false;
    known = term;
    return true;
  }

  /// A phi is what comes in over the edge.
  [[nodiscard]] std::optional<LockTerm> across_edge(BlockId from, std::uint32_t to, const LockTerm& term) const {
    if (term.is_global() || function_.is_parameter(ValueId(term.index))) return term;
    const std::size_t number = function_.definition(ValueId(term.index));
    const Instruction& code = function_.instructions[number];
    if (code.opcode != Opcode::Phi || flow_.block_of[number] != to) return term;
    const auto operands = function_.operands_of(code);
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2)
      if (operands[i + 1].as_block() == from) {
        const auto base = LockTerm::of(operands[i]);
        return base ? term.on(*base) : std::nullopt;
      }
    return std::nullopt;
  }

  TermSummaries& summaries_;
  const Function& function_;
  FunctionId id_;
  const Flow& flow_;
  std::vector<std::optional<LockTerm>> at_end_, at_begin_;  ///< by block
  std::set<std::uint32_t> open_;                            ///< ranks of blocks whose end is to be processed
  bool has_failed_ = false;
};

std::optional<LockTerm> TermSummaries::before(FunctionId function, std::uint32_t point, const LockTerm& term) {
  return answer({function, Point::Before, point, term});
}

std::optional<LockTerm> TermSummaries::at_exit(FunctionId function, const LockTerm& term) {
  return answer({function, Point::Exit, 0, term});
}

std::optional<LockTerm> TermSummaries::of_result(FunctionId function, const LockTerm& term) {
  return answer({function, Point::Result, 0, {LockTerm::Root::Value, 0, term.path, term.offset}});
}

std::optional<LockTerm> TermSummaries::answer(const Question& question) {
  if (const auto at = known_.find(question); at != known_.end()) return at->second;
  const Function& function = program_.functions[question.function];
  if (!function.has_body() || !open_.insert(question).second) return std::nullopt;
  Walk walk(*this, question.function);
  bool is_named = true;
  if (question.point == Point::Before) walk.begin(question.instruction, question.term);
  for (std::uint32_t i = 0; i < function.instructions.size() && question.point != Point::Before; ++i) {
    const Instruction& code = function.instructions[i];
    if (code.opcode != Opcode::Return) continue;
    std::optional<LockTerm> term = question.term;
    if (question.point == Point::Result) {
      const auto base = code.operand_count > 0 ? LockTerm::of(function.operands_of(code)[0]) : std::nullopt;
      term = base ? question.term.on(*base) : std::nullopt;
    }
    if (term)
      walk.begin(i, *term);
    else
      is_named = false;
  }
  std::optional<LockTerm> out = is_named ? walk.finish() : std::nullopt;
  open_.erase(question);
  known_[question] = out;
  return out;
}

std::optional<LockTerm> TermSummaries::term_of(FunctionId id, Operand operand) const {
  const Function& function = program_.functions[id];
  std::int64_t distance = 0;
  while (operand.is_value() && !function.is_parameter(operand.as_value())) {
    const Instruction& code = function.instructions[function.definition(operand.as_value())];
    const bool is_cast = code.opcode == Opcode::Cast && code.cast_op() == CastOp::Bitcast;
    if (code.opcode == Opcode::Gep && code.operand_count == 1)
      distance += function.geps[code.extra].constant_offset;
    else if (!is_cast && code.opcode != Opcode::Freeze)
      break;
    operand = function.operands_of(code)[0];
  }
  std::optional<LockTerm> out = LockTerm::of(operand);
  if (out) out->offset += distance;
  return out;
}

/// The term in front of an instruction, given the one behind it.
std::optional<LockTerm> TermSummaries::back(FunctionId function, std::uint32_t instruction, const LockTerm& term) {
  const Function& code = program_.functions[function];
  if (term.is_value(code.result_of(instruction))) return defined(function, instruction, term);
  if (term.path.empty()) return term;
  return code.instructions[instruction].is_call() ? called(function, instruction, term)
                                                  : stored(function, instruction, term);
}

/// The instruction gives the term its root.
std::optional<LockTerm> TermSummaries::defined(FunctionId id, std::uint32_t instruction, const LockTerm& term) {
  const Function& function = program_.functions[id];
  const Instruction& code = function.instructions[instruction];
  if (code.is_call()) {
    const FunctionId callee = only_target(id, instruction);
    const auto result = callee ? of_result(callee, term) : std::nullopt;
    const auto here = result ? at_call(id, instruction, callee, *result) : std::nullopt;
    return here ? here : made_here(id, instruction, term);
  }
  if (code.opcode == Opcode::Load) {
    const auto address = term_of(id, function.operands_of(code)[0]);
    return address ? term.on(address->content()) : std::nullopt;
  }
  if (code.opcode == Opcode::Cast && code.cast_op() != CastOp::Bitcast) return std::nullopt;
  const auto base = term_of(id, Operand::value(function.result_of(instruction)));
  if (base && !base->is_value(function.result_of(instruction))) return term.on(*base);
  return made_here(id, instruction, term);
}

/// A root of its own: one pointer in each call of the function, if it is made once.
std::optional<LockTerm> TermSummaries::made_here(FunctionId id, std::uint32_t instruction, const LockTerm& term) {
  const Flow& flow = flow_of(id);
  if (!term.path.empty() || is_in_cycle(flow, flow.block_of[instruction])) return std::nullopt;
  return term;
}

/// The instruction may write pointers on the term's path.
std::optional<LockTerm> TermSummaries::stored(FunctionId id, std::uint32_t instruction, const LockTerm& term) {
  const Function& function = program_.functions[id];
  const Instruction& code = function.instructions[instruction];
  std::optional<LockTerm> out = term;
  std::size_t step = 0;
  if (code.opcode == Opcode::Store) {
    const auto address = term_of(id, function.operands_of(code)[1]);
    const bool is_pointer =
        accessed_bytes(program_.types[code.access_type]) == std::uint64_t{program_.layout.pointer_bits} / 8;
    while (address && is_pointer && step < term.path.size() && term.cell(step) != *address) ++step;
    if (address && is_pointer && step < term.path.size()) {
      for (std::size_t i = 0; i < step; ++i)
        if (memory_.may_write(id, code, term.cell(i))) return std::nullopt;
      const auto value = term_of(id, function.operands_of(code)[0]);
      out = value ? term.behind(step + 1, *value) : std::nullopt;
      step = value ? value->path.size() : 0;
    } else {
      step = 0;
    }
  }
  for (; out && step < out->path.size(); ++step)
    if (memory_.may_write(id, code, out->cell(step))) return std::nullopt;
  return out;
}

/// The callee may write pointers on the term's path: then what its own summary says.
std::optional<LockTerm> TermSummaries::called(FunctionId id, std::uint32_t call, const LockTerm& term) {
  bool is_kept = true;
  for (std::size_t i = 0; i < term.path.size(); ++i) is_kept &= !memory_.call_may_write(id, call, term.cell(i));
  if (is_kept) return term;
  const FunctionId callee = only_target(id, call);
  const auto inside = callee ? in_callee(id, call, callee, term) : std::nullopt;
  const auto entry = inside ? at_exit(callee, *inside) : std::nullopt;
  return entry ? at_call(id, call, callee, *entry) : std::nullopt;
}

FunctionId TermSummaries::only_target(FunctionId function, std::uint32_t call) const {
  const std::vector<FunctionId> targets = targets_of(program_, memory_.aliases(), function, call);
  return targets.size() == 1 && program_.functions[targets.front()].has_body() ? targets.front() : FunctionId{};
}

/// A term behind a call, in terms of the callee: of globals, or of what a parameter was given.
std::optional<LockTerm> TermSummaries::in_callee(FunctionId caller, std::uint32_t call, FunctionId callee,
                                                 const LockTerm& term) const {
  if (term.is_global()) return term;
  const Function& function = program_.functions[caller];
  const auto arguments = function.arguments_of(function.instructions[call]);
  const std::size_t parameters = program_.functions[callee].parameters.size();
  for (std::uint32_t i = 0; i < std::min(arguments.size(), parameters); ++i) {
    const auto passed = term_of(caller, arguments[i]);
    if (!passed || passed->is_global() || passed->index != term.index || !passed->path.empty()) continue;
    if (has_copy(program_.functions[callee].byval, i)) continue;
    LockTerm base = LockTerm::value(ValueId(i));
    base.offset = -passed->offset;
    return term.on(base);
  }
  return std::nullopt;
}

std::optional<LockTerm> TermSummaries::at_call(FunctionId caller, std::uint32_t call, FunctionId callee,
                                               const LockTerm& term) const {
  if (term.is_global()) return term;
  const Function& function = program_.functions[caller];
  const auto arguments = function.arguments_of(function.instructions[call]);
  const bool is_passed = term.index < program_.functions[callee].parameters.size() && term.index < arguments.size();
  if (!is_passed || has_copy(program_.functions[callee].byval, term.index)) return std::nullopt;
  const auto passed = term_of(caller, arguments[term.index]);
  return passed ? term.on(*passed) : std::nullopt;
}

}  // namespace heddle::alias
