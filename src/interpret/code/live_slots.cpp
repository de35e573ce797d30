// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/code/live_slots.h"

namespace heddle::interpret {
namespace {

using Values = std::vector<bool>;

void add_values(Values& live, std::span<const Operand> operands) {
  for (const Operand operand : operands)
    if (operand.is_value()) live[operand.as_value().index()] = true;
}

/// Backward over the blocks of one function until nothing changes.
class Liveness {
 public:
  explicit Liveness(const Function& function) : f_(function), in_(f_.blocks.size(), Values(f_.value_count())) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = f_.blocks.size(); b-- > 0;) {
        Values live = behind(BlockId(b));
        for (std::size_t i = end(b); i-- > f_.blocks[b].first;) step_back(live, i);
        for (std::size_t i = f_.blocks[b].first; i < end(b) && is_phi(i); ++i) live[result(i)] = false;
        changed = changed || live != in_[b];
        in_[b] = std::move(live);
      }
    }
  }

  /// In front of each instruction, in no order.
  template <typename Use>
  void each(const Use& use) const {
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      Values live = behind(BlockId(b));
      for (std::size_t i = end(b); i-- > f_.blocks[b].first;) {
        step_back(live, i);
        use(i, live);
      }
    }
  }

 private:
  [[nodiscard]] std::size_t end(std::size_t b) const { return f_.blocks[b].first + f_.blocks[b].count; }
  [[nodiscard]] bool is_phi(std::size_t i) const { return f_.instructions[i].opcode == Opcode::Phi; }
  [[nodiscard]] std::size_t result(std::size_t i) const { return f_.parameters.size() + i; }

  /// What the next blocks need, and what their phis take on the way.
  [[nodiscard]] Values behind(BlockId block) const {
    Values live(f_.value_count());
    for (const BlockId next : f_.successors(block)) {
      const Values& there = in_[next.index()];
      for (std::size_t v = 0; v < there.size(); ++v)
        if (there[v]) live[v] = true;
      for (std::size_t i = f_.blocks[next.index()].first; i < end(next.index()) && is_phi(i); ++i)
        add_values(live, f_.operands_of(f_.instructions[i]));
    }
    return live;
  }

  void step_back(Values& live, std::size_t i) const {
    if (is_phi(i)) return;
    live[result(i)] = false;
    add_values(live, f_.operands_of(f_.instructions[i]));
  }

  const Function& f_;
  std::vector<Values> in_;  ///< of each block, phis taken off
};

}  // namespace

LiveSlots::OfFunction LiveSlots::work_out(const FunctionCode& code, const std::vector<Shape>& shapes) const {
  const Function& function = program_.functions[code.id];
  std::vector<std::uint32_t> first;  // of each value; then the end
  std::uint32_t next = 0;
  const auto number = [&](TypeId type) {
    first.push_back(next);
    next += shapes[type.index()].slots;
  };
  for (const TypeId type : function.parameters) number(type);
  for (const Instruction& instruction : function.instructions) number(instruction.type);
  first.push_back(next);
  std::vector<std::vector<std::uint32_t>> lists(function.instructions.size());
  Liveness(function).each([&](std::size_t i, const Values& live) {
    for (std::size_t v = 0; v < live.size(); ++v)
      for (std::uint32_t slot = first[v]; live[v] && slot < first[v + 1]; ++slot) lists[i].push_back(slot);
    for (std::uint32_t slot = next; slot < code.frame_slots; ++slot) lists[i].push_back(slot);  // of thread-locals
  });
  OfFunction out;
  for (const std::vector<std::uint32_t>& list : lists) {
    out.slots.insert(out.slots.end(), list.begin(), list.end());
    out.ends.push_back(out.slots.size());
  }
  return out;
}

std::span<const std::uint32_t> LiveSlots::at(const FunctionCode& code, const std::vector<Shape>& shapes,
                                             std::uint32_t pc) const {
  auto known = known_.find(code.id);
  if (known == known_.end()) known = known_.emplace(code.id, work_out(code, shapes)).first;
  const OfFunction& of = known->second;
  const std::size_t begin = pc == 0 ? 0 : of.ends[pc - 1];
  return std::span(of.slots).subspan(begin, of.ends[pc] - begin);
}

}  // namespace heddle::interpret
