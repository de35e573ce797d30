// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/values/idle_branches.h"

#include <algorithm>

#include "flow/post_dominators.h"

namespace heddle::depend {
namespace {

constexpr std::size_t most_blocks = 64;

class IdleFinder {
 public:
  IdleFinder(const Program& program, const System& system, const CallGraph& calls, const VariablesAt& variables)
      : program_(program), system_(system), calls_(calls), variables_(variables) {}

  void look_at(FunctionId id, std::vector<IdleBranch>& found) {
    const Function& function = program_.functions[id];
    const flow::Cfg& cfg = calls_.cfg(id);
    const auto is_branch = [&](const Block& block) {
      const Opcode last = function.instructions[block.first + block.count - 1].opcode;
      return last == Opcode::CondBranch || last == Opcode::Switch;
    };
    if (std::ranges::none_of(function.blocks, is_branch)) return;
    const std::vector<BlockId> meets = flow::post_dominators(function, cfg);
    for (const BlockId block : cfg.order) {
      if (!is_branch(function.blocks[block.index()]) || !meets[block.index()].valid()) continue;
      if (auto idle = idle_at(id, block, meets[block.index()])) found.push_back(std::move(*idle));
    }
  }

 private:
  std::optional<IdleBranch> idle_at(FunctionId id, BlockId from, BlockId meeting) const {
    const Function& function = program_.functions[id];
    const flow::Cfg& cfg = calls_.cfg(id);
    const Block& block = function.blocks[from.index()];
    IdleBranch out{.function = id, .branch = block.first + block.count - 1, .touched = {}, .stored = {}, .blocks = {}};
    std::vector<BlockId> todo{from};
    while (!todo.empty()) {
      const BlockId here = todo.back();
      todo.pop_back();
      for (const BlockId next : cfg.successors[here.index()]) {
        if (cfg.rank[next.index()] <= cfg.rank[here.index()]) return std::nullopt;  // a loop goes round
        if (next == meeting || std::ranges::find(out.blocks, next) != out.blocks.end()) continue;
        if (out.blocks.size() >= most_blocks || !add_block(id, next, out)) return std::nullopt;
        out.blocks.push_back(next);
        todo.push_back(next);
      }
    }
    out.blocks.push_back(meeting);
    return out;
  }

  bool add_block(FunctionId id, BlockId block, IdleBranch& to) const {
    const Block& code = program_.functions[id].blocks[block.index()];
    for (std::size_t i = code.first; i < code.first + code.count; ++i)
      if (!add(id, i, to)) return false;
    return true;
  }

  bool add(FunctionId id, std::size_t number, IdleBranch& to) const {
    const Function& function = program_.functions[id];
    const Instruction& code = function.instructions[number];
    switch (code.opcode) {
      case Opcode::Binary:
      case Opcode::Compare:
      case Opcode::Cast:
      case Opcode::Phi:
      case Opcode::Select:
      case Opcode::Freeze:
      case Opcode::Gep:
      case Opcode::Branch:
      case Opcode::CondBranch:
      case Opcode::Switch: return true;
      case Opcode::Load:
      case Opcode::Store: break;
      default: return false;
    }
    const std::vector<GlobalId>& variables = variables_(id, number);
    if (variables.empty() || code.is_atomic() || system_.mask_step(function, code)) return false;
    to.touched.insert(to.touched.end(), variables.begin(), variables.end());
    if (code.opcode == Opcode::Store) to.stored.insert(to.stored.end(), variables.begin(), variables.end());
    return true;
  }

  const Program& program_;
  const System& system_;
  const CallGraph& calls_;
  const VariablesAt& variables_;
};

}  // namespace

std::vector<IdleBranch> find_idle_branches(const Program& program, const System& system, const CallGraph& calls,
                                           const VariablesAt& variables) {
  std::vector<IdleBranch> found;
  IdleFinder finder(program, system, calls, variables);
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    if (program.functions[FunctionId(f)].has_body()) finder.look_at(FunctionId(f), found);
  return found;
}

}  // namespace heddle::depend
