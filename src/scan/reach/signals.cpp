// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/signals.h"

#include <algorithm>
#include <optional>
#include <set>

#include "flow/cfg.h"
#include "program/model/function_queries.h"

namespace heddle::scan {
namespace {

bool releases(const Instruction& code) { return code.order >= AtomicOrder::Release; }
bool acquires(const Instruction& code) {
  return code.order == AtomicOrder::Acquire || code.order >= AtomicOrder::AcqRel;
}

/// What is stored, if it is a number that is written there.
std::optional<std::int64_t> stored_number(const Program& program, const Function& f, const Instruction& code) {
  return code.opcode == Opcode::Store ? constant_number(program, f, f.operands_of(code)[0]) : std::nullopt;
}

/// `!` of one bit.
bool is_not(const Program& program, const Function& f, const Instruction& code) {
  return code.opcode == Opcode::Binary && code.binary_op() == BinaryOp::Xor &&
         program.types[code.type].value_bits == 1 &&
         constant_number(program, f, f.operands_of(code)[1]).value_or(0) != 0;
}

std::vector<NamedLock> in_both(const std::vector<NamedLock>& a, const std::vector<NamedLock>& b) {
  std::vector<NamedLock> out;
  for (const NamedLock& lock : a)
    if (std::ranges::find(b, lock.name, &NamedLock::name) != b.end()) out.push_back(lock);
  return out;
}

}  // namespace

Signals::Signals(const ScanInput& input, const std::vector<FunctionSummary>& summaries, Reach& reach, LockNames& names)
    : in_(input), summaries_(summaries), reach_(reach), circumstances_(input, summaries, reach, names) {}

void Signals::find_signals() {
  is_known_ = true;
  signals_ = threads::find_signal_variables(in_.program, in_.models);
  const Program& program = in_.program;
  for (Signal& signal : signals_) {
    if (signal.reads.empty()) continue;
    // Setting it back lets nobody go on.
    const std::int64_t first = signal.reads.begin()->second;
    std::erase_if(signal.tells, [&](const Place& at) {
      const Function& f = program.functions[at.function];
      return stored_number(program, f, f.instructions[at.instruction]) == std::optional(first);
    });
  }
  std::erase_if(signals_, [&](const Signal& signal) {
    const auto is_elsewhere = [&](const Place& at) { return at.function != signal.tells[0].function; };
    if (signal.tells.empty() || std::ranges::any_of(signal.tells, is_elsewhere)) return true;
    if (signal.reads.empty()) return false;
    const auto code = [&](const Place& at) -> const Instruction& {
      return program.functions[at.function].instructions[at.instruction];
    };
    const bool orders = std::ranges::all_of(signal.tells, [&](const Place& at) { return releases(code(at)); }) &&
                        std::ranges::all_of(signal.reads, [&](const auto& row) { return acquires(code(row.first)); });
    return !orders && !share_a_lock(signal);
  });
}

/// All its reads and writes beside other threads are made with one lock held.
bool Signals::share_a_lock(const Signal& signal) {
  std::optional<std::vector<NamedLock>> common;
  const auto add = [&](const Place& at) {
    if (const auto here = locks_at(at)) common = common ? in_both(*common, *here) : *here;
  };
  for (const Place& at : signal.tells) add(at);
  for (const auto& [at, first] : signal.reads) add(at);
  return common && !common->empty();
}

/// None: it is not reached, or before there are threads.
std::optional<std::vector<NamedLock>> Signals::locks_at(const Place& place) {
  const FunctionSummary& summary = summaries_[place.function.index()];
  std::optional<std::vector<NamedLock>> out;
  bool is_found = false;
  for (std::uint32_t g = 0; g < summary.groups.size(); ++g) {
    const AccessGroup& group = summary.groups[g];
    const auto own = std::span(summary.own).subspan(group.first_own, group.own_count);
    if (std::ranges::find(own, place.instruction, &OwnAccess::instruction) == own.end()) continue;
    is_found = true;
    for (const Phase phase : all_phases) {
      if (!reach_.visit(place.function, phase).reached) continue;
      if (phase == Phase::Boot && !summary.thread_states[group.threads].spawned) continue;
      const auto& locks = circumstances_[circumstances_.of(place.function, g, phase, 0)].locks;
      out = out ? in_both(*out, locks) : locks;
    }
  }
  const bool is_reached = reach_.is_reached(place.function);
  return is_found || !is_reached ? out : std::optional(std::vector<NamedLock>{});
}

bool Signals::are_there() {
  if (!is_known_) find_signals();
  return !signals_.empty();
}

bool Signals::lead_from(const Way& first, const Way& second) const {
  return std::ranges::any_of(signals_, [&](const Signal& signal) {
    return is_behind_all(signal, first) &&
           std::ranges::any_of(second.steps, [&](const Place& step) { return hears_first(signal, step); });
  });
}

/// All that tells lies in one function, which runs once, and no way leads from there to the access.
bool Signals::is_behind_all(const Signal& signal, const Way& first) const {
  const FunctionId function = signal.tells[0].function;  // of all
  const auto step = std::ranges::find(first.steps, function, &Place::function);
  if (step == first.steps.end() || !comes_once(first.phase, function)) return false;
  const Function& f = in_.program.functions[function];
  const flow::Cfg cfg = flow::build_cfg(f, flow::Liveness::Skip);
  const BlockId goal = block_of(f, step->instruction);
  return std::ranges::none_of(signal.tells, [&](const Place& at) {
    const BlockId from = block_of(f, at.instruction);
    if (from == goal && at.instruction <= step->instruction) return true;
    std::set<BlockId> seen;
    std::vector<BlockId> open(cfg.successors[from.index()].begin(), cfg.successors[from.index()].end());
    while (!open.empty()) {
      const BlockId block = open.back();
      open.pop_back();
      if (block == goal) return true;
      if (!seen.insert(block).second) continue;
      open.insert(open.end(), cfg.successors[block.index()].begin(), cfg.successors[block.index()].end());
    }
    return false;
  });
}

/// One thread comes to the function, and does so once.
bool Signals::comes_once(Phase its, FunctionId function) const {
  int visits = 0;
  for (const Phase phase : all_phases) {
    const Visit& visit = reach_.visit(function, phase);
    if (!visit.reached) continue;
    ++visits;
    if (visit.many || visit.roots == Reach::any_root || is_thread(phase) != is_thread(its)) return false;
    const std::vector<std::uint32_t>& roots = reach_.root_sets[visit.roots];
    if (is_thread(phase) &&
        (roots.size() != 1 || reach_.roots[roots[0]].is_repeated || reach_.roots[roots[0]].is_multiple))
      return false;
  }
  return visits == 1;
}

/// Every way to the step passes a wait, or a branch that lets nobody by before somebody told.
bool Signals::hears_first(const Signal& signal, const Place& step) const {
  const Function& f = in_.program.functions[step.function];
  const auto waits_before = [&](const Block& block, std::uint32_t end) {
    return std::ranges::any_of(signal.waits, [&](const Place& at) {
      return at.function == step.function && at.instruction >= block.first && at.instruction < end;
    });
  };
  const flow::Cfg cfg = flow::build_cfg(f, flow::Liveness::Skip);
  const BlockId goal = block_of(f, step.instruction);
  std::set<BlockId> seen;
  std::vector<BlockId> open{BlockId(0)};
  while (!open.empty()) {
    const BlockId at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    const Block& block = f.blocks[at.index()];
    if (at == goal && !waits_before(block, step.instruction)) return false;
    if (block.count == 0 || waits_before(block, block.first + block.count)) continue;
    const Instruction& last = f.instructions[block.first + block.count - 1];
    const auto& successors = cfg.successors[at.index()];
    for (std::size_t way = 0; way < successors.size(); ++way)
      if (last.opcode != Opcode::CondBranch || !lets_by(signal, step.function, last, way))
        open.push_back(successors[way]);
  }
  return true;
}

/// What a value may be while nobody has told: the first value of the variable where it was read, or numbers.
std::optional<std::vector<std::int64_t>> Signals::values_at_first(const Signal& signal, FunctionId function,
                                                                  Operand value) const {
  const Program& program = in_.program;
  const Function& f = program.functions[function];
  value = without_casts(f, value);
  if (const auto number = constant_number(program, f, value)) return std::vector{*number};
  const Instruction* source = definition_of(f, value);
  if (source == nullptr) return std::nullopt;
  if (source->opcode == Opcode::Load) {
    const auto read = signal.reads.find({function, static_cast<std::uint32_t>(f.definition(value.as_value()))});
    return read == signal.reads.end() ? std::nullopt : std::optional(std::vector{read->second});
  }
  if (source->opcode != Opcode::Phi) return std::nullopt;
  std::vector<std::int64_t> out;
  const auto operands = f.operands_of(*source);
  for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
    if (operands[k] == value) continue;
    const Instruction* inner = definition_of(f, without_casts(f, operands[k]));
    const auto some = inner != nullptr && inner->opcode == Opcode::Phi ? std::nullopt
                                                                       : values_at_first(signal, function, operands[k]);
    if (!some) return std::nullopt;
    out.insert(out.end(), some->begin(), some->end());
  }
  return out;
}

/// The branch goes that way only if the variable has another value than it had at first.
bool Signals::lets_by(const Signal& signal, FunctionId function, const Instruction& branch, std::size_t way) const {
  constexpr int deep = 6;
  const Program& program = in_.program;
  const Function& f = program.functions[function];
  Operand asked = f.operands_of(branch)[0];
  bool is_swapped = false;
  for (int depth = 0; depth < deep; ++depth) {
    asked = without_casts(f, asked);
    const Instruction* source = definition_of(f, asked);
    if (source != nullptr && is_not(program, f, *source)) {
      is_swapped = !is_swapped;
      asked = f.operands_of(*source)[0];
      continue;
    }
    const bool compares = source != nullptr && source->opcode == Opcode::Compare;
    const auto with = compares ? constant_number(program, f, f.operands_of(*source)[1]) : std::nullopt;
    if (compares && !with) return false;
    const Operand left = compares ? f.operands_of(*source)[0] : asked;
    const Instruction* below = definition_of(f, without_casts(f, left));
    const bool asks_again =
        compares && below != nullptr && (below->opcode == Opcode::Compare || is_not(program, f, *below));
    if (asks_again) {
      if (*with != 0 || (source->predicate() != Predicate::Eq && source->predicate() != Predicate::Ne)) return false;
      is_swapped ^= source->predicate() == Predicate::Eq;
      asked = left;
      continue;
    }
    const auto values = values_at_first(signal, function, left);
    return values && std::ranges::all_of(*values, [&](std::int64_t value) {
             const bool is_true = compares ? holds(source->predicate(), value, *with) : value != 0;
             return (way == 0) != (is_true != is_swapped);
           });
  }
  return false;
}

}  // namespace heddle::scan
