// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/sides/origins.h"

#include <algorithm>

#include "explore/sides/access_key.h"
#include "program/model/function_queries.h"

namespace heddle::explore {
namespace {

/// One walk over the definitions behind some values.
class Walk {
 public:
  Walk(const Program& program, const alias::GlobalPlaces& places, const std::vector<DecidingBranches>& deciding,
       FunctionId id, bool is_only_entry)
      : program_(program),
        places_(places),
        deciding_(deciding),
        id_(id),
        function_(program.functions[id]),
        is_only_entry_(is_only_entry) {}

  void look_at(Operand operand) {
    if (!operand.is_value() || std::ranges::find(seen_, operand.index()) != seen_.end()) return;
    seen_.push_back(operand.index());
    if (places_.place(id_, operand)) return;
    if (function_.is_parameter(operand.as_value()))
      (is_only_entry_ ? found_.argument : found_.everything) = true;
    else
      look_at(function_.definition(operand.as_value()));
  }

  Origin take() {
    std::ranges::sort(found_.branches);
    found_.branches.erase(std::ranges::unique(found_.branches).begin(), found_.branches.end());
    return std::move(found_);
  }

 private:
  void look_at(std::size_t number) {
    const Instruction& code = function_.instructions[number];
    switch (code.opcode) {
      case Opcode::Phi: add_way_to(block_of(function_, number)); return look_at_all(code);
      case Opcode::Alloca: found_.path = true; return look_at_all(code);
      case Opcode::Select:
      case Opcode::Binary:
      case Opcode::FNeg:
      case Opcode::Compare:
      case Opcode::Cast:
      case Opcode::Freeze:
      case Opcode::ExtractValue:
      case Opcode::InsertValue:
      case Opcode::ExtractElement:
      case Opcode::InsertElement:
      case Opcode::ShuffleVector:
      case Opcode::Gep: return look_at_all(code);
      case Opcode::Load:
      case Opcode::CmpXchg:
      case Opcode::AtomicRmw:
        if (!is_known_global(function_.operands_of(code)[0])) break;
        found_.loads.push_back(key_of(id_, static_cast<std::uint32_t>(number)));
        return look_at(function_.operands_of(code)[0]);
      default: break;
    }
    found_.everything = true;
  }

  void add_way_to(BlockId block) {
    const DecidingBranches& deciding = deciding_[block.index()];
    found_.path = found_.path || deciding.all;
    for (const std::uint32_t branch : deciding.branches) found_.branches.push_back(key_of(id_, branch));
  }

  /// One of the program itself: nobody else writes it.
  [[nodiscard]] bool is_known_global(Operand address) const {
    const GlobalId global = places_.global(id_, address);
    return global.valid() && !program_.globals[global].is_declaration();
  }

  void look_at_all(const Instruction& code) {
    for (const Operand operand : function_.operands_of(code)) look_at(operand);
  }

  const Program& program_;
  const alias::GlobalPlaces& places_;
  const std::vector<DecidingBranches>& deciding_;
  FunctionId id_;
  const Function& function_;
  bool is_only_entry_;
  std::vector<std::uint32_t> seen_;
  Origin found_;
};

}  // namespace

Origins::Origins(const Program& program, const alias::GlobalPlaces& places, const std::vector<bool>& only_entry)
    : program_(program), places_(places), only_entry_(only_entry) {}

const std::vector<DecidingBranches>& Origins::deciding(FunctionId function) const {
  const auto [at, is_new] = deciding_.try_emplace(function);
  if (is_new) at->second = deciding_branches(program_.functions[function]);
  return at->second;
}

Origin Origins::of(FunctionId function, Operand value) const { return of(function, std::span(&value, 1)); }

Origin Origins::of(FunctionId function, std::span<const Operand> values) const {
  Walk walk(program_, places_, deciding(function), function, only_entry_[function.index()]);
  for (const Operand value : values) walk.look_at(value);
  return walk.take();
}

}  // namespace heddle::explore
