// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/inputs/followed_number.h"

#include <algorithm>
#include <optional>

#include "api/action.h"
#include "flow/cfg.h"
#include "interpret/code/values.h"
#include "program/model/function_queries.h"

namespace heddle::explore {

using interpret::mask_of;

namespace {

constexpr int deepest = 4;                    // calls inside of each other
constexpr std::uint64_t most_work = 100'000;  // instructions looked at for one value

/// What a value of the code is.
struct Number {
  enum class Is : std::uint8_t { Nothing, Known, Anything };  ///< Nothing: no way leads there so far
  Is is = Is::Nothing;
  bool is_input = false;  ///< the input, cast to more bits or moved by `moved`
  std::uint32_t width = 0;
  std::uint64_t bits = 0;
  std::uint64_t moved = 0;  ///< of the input: a constant was added
  [[nodiscard]] bool is_known() const { return is == Is::Known; }
  friend bool operator==(const Number&, const Number&) = default;
};

constexpr Number anything{Number::Is::Anything, false, 0, 0, 0};

Number known(std::uint64_t bits, std::uint32_t width) {
  return {Number::Is::Known, false, width, bits & mask_of(width), 0};
}

std::optional<std::uint64_t> computed(BinaryOp op, std::uint64_t a, std::uint64_t b) {
  switch (op) {
    case BinaryOp::Add: return a + b;
    case BinaryOp::Sub: return a - b;
    case BinaryOp::And: return a & b;
    case BinaryOp::Or: return a | b;
    case BinaryOp::Xor: return a ^ b;
    default: return std::nullopt;
  }
}

/// What all walks for one value share.
struct Search {
  const Program& program;
  const api::ApiModels& models;
  std::uint32_t bits;  ///< of the input
  Followed out;
  std::uint64_t work = 0;

  void use() { out.is_used = true; }
  void cut(std::uint64_t value) { out.cuts.insert(value & mask_of(bits)); }
  /// The input, moved, is compared with a constant.
  void compare(const Number& input, std::uint64_t constant) {
    cut(constant - input.moved);
    cut(constant + 1 - input.moved);
  }
  /// A constant was added to the input, in so many bits: where the sum wraps around, with a sign and without. The sum
  /// and the input differ by the constant, up to multiples of what the input's own bits can hold.
  void move(std::uint64_t by, std::uint32_t width) {
    cut(std::uint64_t{0} - by);
    cut((std::uint64_t{1} << (width - 1)) - by);
  }
};

/// Blocks that control comes to only through this one.
std::vector<bool> dominated_by(const flow::Cfg& cfg, BlockId home) {
  std::vector<bool> avoids(cfg.successors.size());
  std::vector<BlockId> todo;
  const auto visit = [&](BlockId block) {
    if (block == home || avoids[block.index()]) return;
    avoids[block.index()] = true;
    todo.push_back(block);
  };
  visit(BlockId(0));
  while (!todo.empty()) {
    const BlockId block = todo.back();
    todo.pop_back();
    for (const BlockId next : cfg.successors[block.index()]) visit(next);
  }
  avoids.flip();
  return avoids;
}

bool is_in_cycle(const flow::Cfg& cfg, BlockId home) {
  std::vector<bool> seen(cfg.successors.size());
  std::vector<BlockId> todo{home};
  while (!todo.empty()) {
    const BlockId block = todo.back();
    todo.pop_back();
    for (const BlockId next : cfg.successors[block.index()]) {
      if (next == home) return true;
      if (seen[next.index()]) continue;
      seen[next.index()] = true;
      todo.push_back(next);
    }
  }
  return false;
}

/// One function, from its beginning or from behind the call, up to a fixpoint.
class Walk {
 public:
  Walk(Search& search, FunctionId id, int depth)
      : search_(search),
        f_(search.program.functions[id]),
        cfg_(flow::build_cfg(f_, flow::Liveness::Skip)),
        depth_(depth),
        values_(f_.value_count(), anything),
        is_reached_(f_.blocks.size()),
        edges_(f_.blocks.size()) {}

  /// Whether control may come back, other than by an exception.
  bool run_from_entry(std::span<const Number> arguments) {
    for (std::size_t i = 0; i < f_.parameters.size(); ++i) values_[i] = i < arguments.size() ? arguments[i] : anything;
    forget_results();
    is_reached_[0] = true;
    run_to_fixpoint();
    return returns_;
  }

  void run_behind(std::size_t call, std::uint64_t value) {
    call_ = call;
    home_ = block_of(f_, call);
    if (is_in_cycle(cfg_, home_)) {
      keeps_ = dominated_by(cfg_, home_);
      keeps_[home_.index()] = false;
    }
    forget_behind();
    values_[f_.result_of(call).index()] = {Number::Is::Known, true, search_.bits, value, 0};
    run_to_fixpoint();
  }

 private:
  void forget_results() {
    std::fill(values_.begin() + static_cast<std::ptrdiff_t>(f_.parameters.size()), values_.end(), Number{});
  }

  /// What was computed before the call could be anything; what only ways from the call lead to is not known yet.
  void forget_behind() {
    const std::vector<bool> behind = dominated_by(cfg_, home_);
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      const Block& block = f_.blocks[b];
      for (std::size_t i = block.first; i < block.first + block.count; ++i) {
        const bool is_phi = f_.instructions[i].opcode == Opcode::Phi;
        const bool is_behind = BlockId(b) == home_ ? i > call_ : behind[b] || (is_phi && keeps_.empty());
        if (is_behind) values_[f_.result_of(i).index()] = {};
      }
    }
  }

  void run_to_fixpoint() {
    do {
      has_changed_ = false;
      if (call_ != none) run_block(home_, call_ + 1);
      for (const BlockId block : cfg_.order)
        if (is_reached_[block.index()] && !search_.out.is_lost) run_block(block, f_.blocks[block.index()].first);
    } while (has_changed_ && !search_.out.is_lost);
  }

  /// Up to its end, a call that does not come back, or the call itself: behind that its result is another one.
  void run_block(BlockId id, std::size_t first) {
    const Block& block = f_.blocks[id.index()];
    const std::size_t last = block.first + block.count - 1;
    for (std::size_t i = first; i <= last; ++i) {
      if (++search_.work > most_work) search_.out.is_lost = true;
      if (i == call_ || search_.out.is_lost) return;
      const Instruction& code = f_.instructions[i];
      if (code.is_call() && !comes_back(code)) {
        if (code.opcode == Opcode::Invoke) go(id, f_.operands_of(code).back().as_block());  // by an exception
        return;
      }
      set(f_.result_of(i), result_of(id, code));
    }
    leave(id, f_.instructions[last]);
  }

  void set(ValueId value, const Number& number) {
    Number& old = values_[value.index()];
    if (old == number || old.is == Number::Is::Anything || number.is == Number::Is::Nothing) return;
    if (old.is == Number::Is::Known && number.is_known()) return set(value, merged(old, number));
    old = number;
    has_changed_ = true;
  }

  /// Two numbers that one value can be.
  Number merged(const Number& a, const Number& b) {
    if (a.is == Number::Is::Nothing) return b;
    if (b.is == Number::Is::Nothing || a == b) return a;
    if (a.is_input || b.is_input) search_.use();
    return anything;
  }

  [[nodiscard]] Number number_of(Operand operand) const {
    if (operand.is_value()) return values_[operand.as_value().index()];
    if (!operand.is_constant()) return anything;
    const Constant& constant = search_.program.constants[operand.as_constant()];
    if (constant.kind != Constant::Kind::Int || !constant.wide.empty()) return anything;
    const auto width = static_cast<std::uint32_t>(search_.program.types[constant.type].value_bits);
    return width == 0 || width > 64 ? anything : known(constant.bits, width);
  }

  /// Whatever does this sees all of the number.
  Number used(std::span<const Operand> operands) {
    for (const Operand operand : operands)
      if (number_of(operand).is_input) search_.use();
    return anything;
  }

  Number result_of(BlockId block, const Instruction& code) {
    const auto operands = f_.operands_of(code);
    switch (code.opcode) {
      case Opcode::Phi: return result_of_phi(block, operands);
      case Opcode::Compare: return result_of_compare(code, number_of(operands[0]), number_of(operands[1]));
      case Opcode::Cast: return result_of_cast(code, number_of(operands[0]));
      case Opcode::Binary: return result_of_binary(code, number_of(operands[0]), number_of(operands[1]));
      case Opcode::Select: return result_of_select(operands);
      case Opcode::Freeze: return number_of(operands[0]);
      case Opcode::Call:
      case Opcode::Invoke:      // comes_back has looked at it
      case Opcode::CondBranch:  // leave looks at it
      case Opcode::Switch: return anything;
      default: return used(operands);
    }
  }

  Number result_of_phi(BlockId block, std::span<const Operand> operands) {
    const bool keeps = keeps_.empty() || keeps_[block.index()];
    Number out;
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
      const BlockId from = operands[i + 1].as_block();
      if (!std::ranges::count(edges_[from.index()], block)) continue;
      if (!keeps) {
        used(operands.subspan(i, 1));
        continue;
      }
      out = merged(out, number_of(operands[i]));
    }
    return keeps ? out : anything;
  }

  Number result_of_compare(const Instruction& code, const Number& a, const Number& b) {
    if (a.is == Number::Is::Nothing || b.is == Number::Is::Nothing) return {};
    const bool is_one_input = a.is_input != b.is_input;
    if (!a.is_known() || !b.is_known() || (a.is_input && b.is_input) || code.predicate() > Predicate::Sle) {
      if (a.is_input || b.is_input) search_.use();
      return anything;
    }
    if (is_one_input) search_.compare(a.is_input ? a : b, a.is_input ? b.bits : a.bits);
    return known(interpret::holds(code.predicate(), a.bits, b.bits, a.width) ? 1 : 0, 1);
  }

  Number result_of_cast(const Instruction& code, const Number& from) {
    if (!from.is_known()) return from;
    const Type& to = search_.program.types[code.type];
    const auto width = static_cast<std::uint32_t>(to.value_bits);
    const bool is_wider = code.cast_op() == CastOp::ZExt || code.cast_op() == CastOp::SExt;
    if (to.kind != TypeKind::Int || width > 64 || (!is_wider && (from.is_input || code.cast_op() != CastOp::Trunc))) {
      if (from.is_input) search_.use();
      return anything;
    }
    Number out = from;
    out.width = width;
    out.bits =
        (code.cast_op() == CastOp::SExt ? static_cast<std::uint64_t>(interpret::sign_extend(from.bits, from.width))
                                        : from.bits) &
        mask_of(width);
    return out;
  }

  Number result_of_binary(const Instruction& code, const Number& a, const Number& b) {
    if (a.is == Number::Is::Nothing || b.is == Number::Is::Nothing) return {};
    const auto op = static_cast<BinaryOp>(code.detail);
    const bool moves = (op == BinaryOp::Add || op == BinaryOp::Sub) && a.is_input && !b.is_input && b.is_known();
    const auto bits = a.is_known() && b.is_known() ? computed(op, a.bits, b.bits) : std::nullopt;
    if (!bits || ((a.is_input || b.is_input) && !moves)) {
      if (a.is_input || b.is_input) search_.use();
      return anything;
    }
    if (!moves) return known(*bits, a.width);
    Number out = a;
    out.bits = *bits & mask_of(a.width);
    out.moved = (op == BinaryOp::Add ? a.moved + b.bits : a.moved - b.bits) & mask_of(a.width);
    search_.move(out.moved, a.width);
    return out;
  }

  Number result_of_select(std::span<const Operand> operands) {
    const Number condition = number_of(operands[0]);
    if (condition.is == Number::Is::Nothing) return {};
    if (condition.is_input) search_.compare(condition, 0);
    if (condition.is_known()) return number_of(operands[condition.bits != 0 ? 1 : 2]);
    return merged(number_of(operands[1]), number_of(operands[2]));
  }

  bool comes_back(const Instruction& code) {
    const Operand callee = f_.operands_of(code)[0];
    const auto arguments = f_.arguments_of(code);
    if (f_.calls[code.extra].no_return) {
      used(arguments);
      return false;
    }
    if (!callee.is_function()) {
      used(arguments);
      return true;
    }
    const Function& function = search_.program.functions[callee.as_function()];
    std::vector<Number> numbers;
    for (const Operand argument : arguments) numbers.push_back(number_of(argument));
    if (std::ranges::any_of(numbers, [](const Number& one) { return one.is == Number::Is::Nothing; })) return false;
    if (function.has_body() && depth_ < deepest && std::ranges::any_of(numbers, &Number::is_known)) {
      const bool returns = Walk(search_, callee.as_function(), depth_ + 1).run_from_entry(numbers);
      return returns && !function.no_return;
    }
    if (!function.has_body() && fails_assumption(function, numbers)) return false;
    used(arguments);
    return !function.no_return;
  }

  bool fails_assumption(const Function& function, std::vector<Number>& numbers) {
    const api::Model* model = search_.models.find(function.name);
    if (model == nullptr || model->effects.size() != 1) return false;
    const auto assume = api::get<api::Assume>(model->effects[0]);
    if (!assume || assume->object < 0 || static_cast<std::size_t>(assume->object) >= numbers.size()) return false;
    const Number& condition = numbers[static_cast<std::size_t>(assume->object)];
    return condition.is_known() && !condition.is_input && condition.bits == 0;
  }

  /// Which ways lead on.
  void leave(BlockId block, const Instruction& end) {
    const auto operands = f_.operands_of(end);
    if (end.opcode == Opcode::Return || end.opcode == Opcode::Resume) {
      returns_ = true;
      return;
    }
    if (end.opcode == Opcode::CondBranch || end.opcode == Opcode::Switch) {
      const Number tested = number_of(operands[0]);
      if (tested.is == Number::Is::Nothing) return;
      if (tested.is_known())
        return go(block, end.opcode == Opcode::Switch ? chosen(operands, tested) : branch(operands, tested));
    }
    for (const BlockId next : cfg_.successors[block.index()]) go(block, next);
  }

  BlockId branch(std::span<const Operand> operands, const Number& tested) {
    if (tested.is_input) search_.compare(tested, 0);
    return operands[(tested.bits & 1) != 0 ? 1 : 2].as_block();
  }

  BlockId chosen(std::span<const Operand> operands, const Number& tested) {
    BlockId to = operands[1].as_block();
    for (std::size_t i = 2; i + 1 < operands.size(); i += 2) {
      const Number label = number_of(operands[i]);
      if (tested.is_input) search_.compare(tested, label.bits);
      if (label.is_known() && label.bits == tested.bits) to = operands[i + 1].as_block();
    }
    return to;
  }

  void go(BlockId from, BlockId to) {
    is_reached_[to.index()] = true;
    if (std::ranges::count(edges_[from.index()], to) != 0) return;
    edges_[from.index()].push_back(to);
    has_changed_ = true;
  }

  static constexpr std::size_t none = ~std::size_t{0};

  Search& search_;
  const Function& f_;
  flow::Cfg cfg_;
  int depth_;
  std::size_t call_ = none;
  BlockId home_;
  std::vector<bool> keeps_;  ///< by block: its phis do not outlive the call; empty: none does, it is made once
  std::vector<Number> values_;
  std::vector<bool> is_reached_;
  std::vector<std::vector<BlockId>> edges_;  ///< by block: those that were taken
  bool has_changed_ = false;
  bool returns_ = false;
};

}  // namespace

Followed follow_number(const Program& program, const api::ApiModels& models, const InputCall& call,
                       std::uint64_t value) {
  Search search{.program = program, .models = models, .bits = call.bits, .out = {}, .work = 0};
  search.move(0, call.bits);
  Walk(search, call.function, 0).run_behind(call.instruction, value);
  return std::move(search.out);
}

}  // namespace heddle::explore
