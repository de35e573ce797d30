// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/access/loops.h"

#include <algorithm>
#include <optional>
#include <set>

#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

/// What an address begins with, at whatever distance.
Operand base_of_address(const Function& function, Operand address) {
  while (address.is_value() && !function.is_parameter(address.as_value())) {
    const Instruction& code = function.instructions[function.definition(address.as_value())];
    if (code.opcode != Opcode::Gep && code.opcode != Opcode::Cast) break;
    address = function.operands_of(code)[0];
  }
  return address;
}

/// Blocks from which the end of the edge back is reached without the head.
std::vector<bool> body_of(const flow::Cfg& cfg, BlockId head, BlockId last) {
  std::vector<bool> body(cfg.successors.size());
  body[head.index()] = true;
  std::vector<BlockId> todo{last};
  while (!todo.empty()) {
    const BlockId block = todo.back();
    todo.pop_back();
    if (body[block.index()]) continue;
    body[block.index()] = true;
    for (const BlockId before : cfg.predecessors[block.index()]) todo.push_back(before);
  }
  return body;
}

class ExitConditions {
 public:
  ExitConditions(const Function& function, const flow::Cfg& cfg, const Loop& loop)
      : function_(function), cfg_(cfg), loop_(loop) {}

  /// Some exit asks for what the loop itself counts or writes.
  [[nodiscard]] bool are_own() {
    for (std::size_t b = 0; b < loop_.body.size(); ++b) {
      if (!loop_.body[b]) continue;
      const bool leaves =
          std::ranges::any_of(cfg_.successors[b], [&](BlockId next) { return !loop_.body[next.index()]; });
      const auto asked = leaves ? asked_at_end(b) : std::nullopt;
      if (asked && is_own(*asked)) return true;
    }
    return false;
  }

 private:
  /// What the last instruction of a block decides by.
  [[nodiscard]] std::optional<Operand> asked_at_end(std::size_t block) const {
    const Block& code = function_.blocks[block];
    const Instruction& last = function_.instructions[code.first + code.count - 1];
    const bool asks = last.opcode == Opcode::CondBranch || last.opcode == Opcode::Switch;
    return asks ? std::optional(function_.operands_of(last)[0]) : std::nullopt;
  }

  /// `i < 10 && y == 0`: what flows together there was chosen by the branches that lead to it.
  void add_choosers(BlockId together, std::vector<Operand>& to) const {
    std::vector<BlockId> todo{together};
    std::set<BlockId> seen;
    while (!todo.empty()) {
      const BlockId block = todo.back();
      todo.pop_back();
      if (block == loop_.head || !seen.insert(block).second) continue;
      for (const BlockId before : cfg_.predecessors[block.index()]) {
        if (!loop_.body[before.index()]) continue;
        if (const auto asked = asked_at_end(before.index()))
          to.push_back(*asked);
        else
          todo.push_back(before);
      }
    }
  }

  [[nodiscard]] bool is_inside(std::size_t instruction) const {
    return loop_.body[block_of(function_, instruction).index()];
  }

  [[nodiscard]] bool is_own(Operand asked) {
    std::vector<Operand> todo{asked};
    while (!todo.empty()) {
      const Operand operand = todo.back();
      todo.pop_back();
      if (!operand.is_value() || function_.is_parameter(operand.as_value())) continue;
      const std::size_t at = function_.definition(operand.as_value());
      if (!seen_.insert(at).second || !is_inside(at)) continue;
      const Instruction& code = function_.instructions[at];
      if (code.opcode == Opcode::Phi && at >= head_begin() && at < head_end()) return true;
      if (code.opcode == Opcode::Load && writes(function_.operands_of(code)[0])) return true;
      if (code.is_call() || code.opcode == Opcode::Load) continue;
      if (code.opcode == Opcode::Phi) add_choosers(block_of(function_, at), todo);
      for (const Operand one : function_.operands_of(code)) todo.push_back(one);
    }
    return false;
  }

  [[nodiscard]] std::size_t head_begin() const { return function_.blocks[loop_.head.index()].first; }
  [[nodiscard]] std::size_t head_end() const { return head_begin() + function_.blocks[loop_.head.index()].count; }

  [[nodiscard]] bool writes(Operand address) const {
    const Operand base = base_of_address(function_, address);
    for (std::size_t i = 0; i < function_.instructions.size(); ++i) {
      const Instruction& code = function_.instructions[i];
      if (code.opcode != Opcode::Store && code.opcode != Opcode::AtomicRmw && code.opcode != Opcode::CmpXchg) continue;
      const Operand to = function_.operands_of(code)[code.opcode == Opcode::Store ? 1 : 0];
      if (is_inside(i) && base_of_address(function_, to) == base) return true;
    }
    return false;
  }

  const Function& function_;
  const flow::Cfg& cfg_;
  const Loop& loop_;
  std::set<std::size_t> seen_;
};

}  // namespace

std::vector<Loop> find_loops(const Function& function, const flow::Cfg& cfg) {
  std::vector<Loop> loops;
  for (const BlockId head : cfg.order) {
    if (!cfg.is_loop_head[head.index()]) continue;
    Loop loop{.head = head, .body = std::vector<bool>(cfg.successors.size()), .exits = {}};
    for (const BlockId last : cfg.predecessors[head.index()]) {
      if (cfg.rank[last.index()] == flow::Cfg::none_rank || cfg.rank[last.index()] < cfg.rank[head.index()]) continue;
      const std::vector<bool> more = body_of(cfg, head, last);
      for (std::size_t b = 0; b < more.size(); ++b) loop.body[b] = loop.body[b] || more[b];
    }
    for (std::size_t b = 0; b < loop.body.size(); ++b)
      if (loop.body[b])
        for (const BlockId next : cfg.successors[b])
          if (!loop.body[next.index()]) loop.exits.push_back(next);
    loop.is_service = !ExitConditions(function, cfg, loop).are_own();
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace heddle::depend
