// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/values/input_values.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

constexpr int most_tested_bits = 8;
constexpr std::uint64_t most_left = 128;
constexpr std::uint32_t few_bits = 8;  ///< so many are simply all tried

std::uint64_t all_ones(std::uint32_t bits) { return bits >= 64 ? ~0ULL : (1ULL << bits) - 1; }

/// Every value that has no other bits than these.
std::vector<std::uint64_t> subsets(std::uint64_t bits) {
  std::vector<std::uint64_t> all{0};
  for (std::uint64_t part = bits; part != 0; part = (part - 1) & bits) all.push_back(part);
  std::ranges::reverse(all);
  return all;
}

std::set<std::uint64_t> around(const std::set<std::uint64_t>& cuts, std::uint32_t bits) {
  const std::uint64_t mask = all_ones(bits), sign = bits == 0 ? 0 : 1ULL << (std::min(bits, 64U) - 1);
  std::set<std::uint64_t> values{0, 1 & mask, mask, sign, (sign - 1) & mask};
  for (const std::uint64_t cut : cuts) values.insert({cut & mask, (cut + 1) & mask, (cut - 1) & mask});
  return values;
}

bool is_number(const Program& program, Operand operand) {
  return operand.is_constant() && signed_number(program, program.constants[operand.as_constant()]).has_value();
}

std::uint64_t bits_of(const Program& program, Operand operand) { return program.constants[operand.as_constant()].bits; }

}  // namespace

const InputValues::Values& InputValues::of(FunctionId function, std::size_t instruction, std::uint32_t bits) {
  const auto known = known_.find({function, instruction});
  if (known != known_.end()) return known->second;
  return known_.emplace(std::pair(function, instruction), find(function, instruction, bits)).first->second;
}

InputValues::Values InputValues::find(FunctionId function, std::size_t instruction, std::uint32_t bits) {
  if (!result_matters(function, instruction)) return {.all = {0}, .is_complete = true, .matters = false};
  found_ = {};
  seen_.clear();
  follow(function, instruction);
  while (!todo_.empty()) {
    const auto [f, value] = todo_.back();
    todo_.pop_back();
    for (const std::size_t user : users(f, value)) look_at_use(f, value, user);
  }
  if ((found_.tested & ~all_ones(bits)) != 0) found_.is_complete = false;  // copies of the sign, perhaps
  const bool has_both = found_.tested != 0 && (!found_.cuts.empty() || found_.modulus > 1);
  if (found_.is_complete && !has_both && std::popcount(found_.tested) <= most_tested_bits && found_.tested != 0)
    return {.all = subsets(found_.tested)};
  std::set<std::uint64_t> values = around(found_.cuts, bits);
  // From the beginning of each stretch between two cuts as many in a row as there are remainders.
  if (found_.modulus > 1)
    for (const std::uint64_t begin : std::set<std::uint64_t>(values))
      for (std::uint64_t i = 1; i < found_.modulus; ++i) values.insert((begin + i) & all_ones(bits));
  for (std::uint64_t left = found_.tested & all_ones(bits); left != 0; left &= left - 1)
    values.insert(std::uint64_t{1} << std::countr_zero(left));
  const bool is_complete = found_.is_complete && found_.tested == 0;
  Values out{.all = {values.begin(), values.end()}, .is_complete = is_complete};
  std::rotate(out.all.begin(), std::next(out.all.begin()),
              out.all.end());  // variables are 0 at first: others tell more
  if (is_complete || bits > few_bits) return out;
  for (std::uint64_t value = 0; value <= all_ones(bits); ++value)
    if (!values.contains(value)) out.all.push_back(value);
  out.is_complete = true;
  return out;
}

bool InputValues::result_matters(FunctionId function, std::size_t instruction) const {
  return relevance_.matters(function, program_.functions[function].result_of(instruction));
}

const std::vector<std::size_t>& InputValues::users(FunctionId id, ValueId value) {
  auto [at, is_new] = users_.try_emplace(id);
  if (is_new) {
    const Function& function = program_.functions[id];
    at->second.resize(function.value_count());
    for (std::size_t i = 0; i < function.instructions.size(); ++i)
      for (const Operand operand : function.operands_of(function.instructions[i]))
        if (operand.is_value()) at->second[operand.as_value().index()].push_back(i);
  }
  return at->second[value.index()];
}

/// The result of the instruction is the input, or as much as the input.
void InputValues::follow(FunctionId function, std::size_t instruction) {
  if (!result_matters(function, instruction)) return;
  const Value value{function, program_.functions[function].result_of(instruction)};
  if (seen_.insert(value).second) todo_.push_back(value);
}

void InputValues::look_at_use(FunctionId id, ValueId value, std::size_t user) {
  const Function& function = program_.functions[id];
  const Instruction& code = function.instructions[user];
  const auto operands = function.operands_of(code);
  switch (code.opcode) {
    case Opcode::Compare: look_at_comparison(id, value, user); return;
    case Opcode::Store: look_at_store(id, value, user); return;
    case Opcode::Call:
    case Opcode::Invoke: look_at_call(id, value, user); return;
    case Opcode::CondBranch: return;  // one bit: both are tried
    case Opcode::Switch:
      for (std::size_t i = 2; i < operands.size(); i += 2) found_.cuts.insert(bits_of(program_, operands[i]));
      return;
    case Opcode::Return:
      for (const CallPoint& point : calls_.callers(id)) follow(point.caller, point.instruction);
      return;
    case Opcode::Phi:
    case Opcode::Freeze:
    case Opcode::Select: follow(id, user); return;
    case Opcode::Cast:
      if (code.cast_op() == CastOp::ZExt || code.cast_op() == CastOp::SExt) return follow(id, user);
      if (code.cast_op() == CastOp::Trunc)
        return look_at_bits(id, user, all_ones(static_cast<std::uint32_t>(program_.types[code.type].value_bits)));
      break;
    case Opcode::Binary:
      if ((code.binary_op() == BinaryOp::SRem || code.binary_op() == BinaryOp::URem) &&
          operands[0] == Operand::value(value) && is_number(program_, operands[1]))
        return look_at_remainder(id, user, *signed_number(program_, program_.constants[operands[1].as_constant()]));
      if (code.binary_op() == BinaryOp::And && (is_number(program_, operands[0]) || is_number(program_, operands[1])))
        return look_at_bits(id, user, bits_of(program_, operands[is_number(program_, operands[0]) ? 0 : 1]));
      break;
    default: break;
  }
  const bool is_pure = code.opcode == Opcode::Cast || code.opcode == Opcode::Binary || code.opcode == Opcode::Gep;
  if (!is_pure || result_matters(id, user)) found_.is_complete = false;
}

void InputValues::look_at_comparison(FunctionId id, ValueId value, std::size_t user) {
  if (!result_matters(id, user)) return;
  const Function& function = program_.functions[id];
  const auto operands = function.operands_of(function.instructions[user]);
  const Operand other = operands[0] == Operand::value(value) ? operands[1] : operands[0];
  if (is_number(program_, other))
    found_.cuts.insert(bits_of(program_, other));
  else
    found_.is_complete = false;
}

/// Some bits of it, and no others.
void InputValues::look_at_bits(FunctionId id, std::size_t user, std::uint64_t bits) {
  if (result_matters(id, user)) found_.tested |= bits;
}

/// Of the remainder all that there can be is tried: what is made of it need not be followed.
void InputValues::look_at_remainder(FunctionId id, std::size_t user, std::int64_t by) {
  if (!result_matters(id, user)) return;
  const std::uint64_t modulus = by < 1 ? 0 : std::lcm(found_.modulus, static_cast<std::uint64_t>(by));
  if (modulus == 0 || modulus > most_left)
    found_.is_complete = false;
  else
    found_.modulus = modulus;
}

/// Whoever reads the variables reads the input, if all that touches them are reads and writes of the same width.
void InputValues::look_at_store(FunctionId id, ValueId value, std::size_t user) {
  const Function& function = program_.functions[id];
  const Instruction& store = function.instructions[user];
  const std::vector<GlobalId>& variables = relevance_.variables_at(id, user);
  if (variables.empty() || function.operands_of(store)[1] == Operand::value(value)) found_.is_complete = false;
  for (const GlobalId variable : variables) {
    if (!relevance_.matters(variable)) continue;
    for (const Access& access : accesses_.all().at(variable)) {
      const Instruction& code = program_.functions[access.function].instructions[access.instruction];
      const bool is_plain = code.opcode == Opcode::Load || code.opcode == Opcode::Store;
      if (!is_plain || code.access_type != store.access_type) found_.is_complete = false;
      if (code.opcode == Opcode::Load) follow(access.function, access.instruction);
    }
  }
}

/// The value says which lock a call is about.
bool InputValues::is_lock(FunctionId id, ValueId value, std::size_t user) const {
  const Function& function = program_.functions[id];
  const Instruction& call = function.instructions[user];
  const LockCall* lock = relevance_.locks().of(function.operands_of(call)[0].as_function());
  const auto arguments = function.arguments_of(call);
  return lock != nullptr && lock->lock.object >= 0 && static_cast<std::size_t>(lock->lock.object) < arguments.size() &&
         arguments[static_cast<std::size_t>(lock->lock.object)] == Operand::value(value);
}

void InputValues::look_at_call(FunctionId id, ValueId value, std::size_t user) {
  const Function& function = program_.functions[id];
  const Instruction& call = function.instructions[user];
  const Operand callee = function.operands_of(call)[0];
  // Of a mask with a body the arguments count where it is called.
  const bool is_harmless =
      callee.is_function() && !relevance_.is_mask(callee.as_function()) && !is_lock(id, value, user) &&
      (program_.functions[callee.as_function()].has_body() || relevance_.is_unknown(callee.as_function()) ||
       relevance_.locks().of(callee.as_function()) != nullptr);
  if (!is_harmless) found_.is_complete = false;
  const auto arguments = function.arguments_of(call);
  for (const FunctionId target : calls_.targets(id, user))
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i] != Operand::value(value) || i >= program_.functions[target].parameters.size()) continue;
      const Value parameter{target, ValueId(i)};
      if (relevance_.matters(target, ValueId(i)) && seen_.insert(parameter).second) todo_.push_back(parameter);
    }
}

}  // namespace heddle::depend
