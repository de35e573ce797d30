// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/executor/inputs.h"

#include <algorithm>
#include <set>

namespace heddle::explore {
namespace {

void add_constant(const Program& program, Operand operand, std::set<std::uint64_t>& values) {
  if (!operand.is_constant()) return;
  const Constant& constant = program.constants[operand.as_constant()];
  if (constant.kind != Constant::Kind::Int) return;
  const std::uint64_t bits = program.types[constant.type].value_bits;
  std::uint64_t value = constant.bits;
  if (bits < 64 && bits > 1 && ((value >> (bits - 1)) & 1) != 0) value |= ~std::uint64_t{0} << bits;
  for (const std::uint64_t near : {value - 1, value, value + 1}) values.insert(near);
}

}  // namespace

std::vector<std::uint64_t> candidate_values(const Program& program) {
  constexpr std::size_t enough = 200;
  std::set<std::uint64_t> values{0, 1, ~std::uint64_t{0}};
  for (const Function& function : program.functions)
    for (const Instruction& instruction : function.instructions) {
      if (instruction.opcode != Opcode::Compare && instruction.opcode != Opcode::Switch) continue;
      if (values.size() > enough) break;
      for (const Operand operand : function.operands_of(instruction)) add_constant(program, operand, values);
    }
  return {values.begin(), values.end()};
}

std::uint64_t LoggedChooser::pick(const interpret::Choice& choice) {
  if (choice.count != 0)
    return policy_ == ValuePolicy::Zero || policy_ == ValuePolicy::Fixed ? 0 : random_() % choice.count;
  switch (policy_) {
    case ValuePolicy::Zero: return 0;
    case ValuePolicy::One: return 1;
    case ValuePolicy::Small: return random_() % 4;
    case ValuePolicy::Candidates: return candidates_[random_() % candidates_.size()];
    case ValuePolicy::Fixed: return candidates_.front();
    case ValuePolicy::Random:
      return random_() % 8 == 0 ? candidates_[random_() % candidates_.size()] : random_() >> (random_() % 64);
  }
  return 0;
}

std::uint64_t LoggedChooser::choose(const interpret::Choice& choice) {
  if (choice.kind == interpret::ChoiceKind::Value) asked_for_values_ = true;
  std::uint64_t value = 0;
  if (taken_back_.empty()) {
    value = pick(choice);
  } else {
    value = choice.count == 0 ? taken_back_.back() : taken_back_.back() % choice.count;
    taken_back_.pop_back();
  }
  if (choice.count == 0 && choice.bits < 64) value &= (std::uint64_t{1} << choice.bits) - 1;
  answers_.push_back({choice.thread, value});
  return value;
}

void LoggedChooser::rewind(std::size_t count) {
  for (; answers_.size() > count; answers_.pop_back()) taken_back_.push_back(answers_.back().value);
}

std::uint64_t RecordedChooser::choose(const interpret::Choice& choice) {
  const std::vector<std::uint64_t>& answers = answers_[choice.thread];
  std::size_t& next = next_[choice.thread];
  std::uint64_t value = next < answers.size() ? answers[next] : 0;
  ++next;
  if (choice.count != 0) value %= choice.count;
  given_.push_back({choice.thread, value});
  return value;
}

void RecordedChooser::rewind(std::size_t count) {
  for (; given_.size() > count; given_.pop_back()) --next_[given_.back().thread];
}

}  // namespace heddle::explore
