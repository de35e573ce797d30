// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/sides/own_memory.h"

#include <algorithm>

#include "api/action.h"

namespace heddle::explore {
namespace {

bool derives_address(const Instruction& code) {
  return code.opcode == Opcode::Gep || code.opcode == Opcode::Phi || code.opcode == Opcode::Select ||
         (code.opcode == Opcode::Cast && code.cast_op() == CastOp::Bitcast);
}

bool uses_as_address(const Instruction& code, std::size_t operand) {
  switch (code.opcode) {
    case Opcode::Load:
    case Opcode::MemSet:
    case Opcode::CmpXchg:
    case Opcode::AtomicRmw: return operand == 0;
    case Opcode::Store: return operand == 1;
    case Opcode::MemCopy: return operand <= 1;
    case Opcode::Compare: return true;
    default: return false;
  }
}

/// The operands that the result of an instruction that derives an address is made of.
template <class Visit>
void for_each_source(const Instruction& code, std::span<const Operand> operands, const Visit& visit) {
  const std::size_t first = code.opcode == Opcode::Select ? 1 : 0;
  const std::size_t count = code.opcode == Opcode::Gep || code.opcode == Opcode::Cast ? 1 : operands.size();
  for (std::size_t k = first; k < count; ++k)
    if (!operands[k].is_block()) visit(operands[k]);
}

}  // namespace

/// One look at one function: what can no longer be kept or own is refused.
class OwnMemory::Look {
 public:
  Look(OwnMemory& all, FunctionId id) : all_(all), id_(id), function_(all.program_.functions[id]) {}

  bool changes() {
    for (std::size_t i = 0; i < function_.instructions.size(); ++i) look_at(i);
    return changed_;
  }

 private:
  [[nodiscard]] bool is_own(Operand operand) const {
    return operand.is_value() && all_.own_[id_.index()][operand.index()];
  }
  void let_out(Operand operand) {
    if (operand.is_value()) refuse(all_.kept_[id_.index()], operand.index());
    not_own(operand);
  }
  void not_own(Operand operand) {
    if (operand.is_value()) refuse(all_.own_[id_.index()], operand.index());
  }
  void refuse(std::vector<bool>& of, std::size_t index) {
    if (!of[index]) return;
    of[index] = false;
    changed_ = true;
  }

  void look_at(std::size_t number) {
    const Instruction& code = function_.instructions[number];
    const auto operands = function_.operands_of(code);
    if (derives_address(code)) return look_at_derived(code, Operand::value(function_.result_of(number)));
    if (code.is_call() && operands[0].is_function()) return look_at_call(code, operands[0].as_function());
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (!uses_as_address(code, k)) let_out(operands[k]);
  }

  /// A source that is not own makes the result foreign, and a result that gets out takes its sources along.
  void look_at_derived(const Instruction& code, Operand result) {
    const auto operands = function_.operands_of(code);
    for_each_source(code, operands, [&](Operand source) {
      if (!is_own(source)) not_own(result);
    });
    for_each_source(code, operands, [&](Operand source) {
      if (!all_.kept_[id_.index()][result.index()]) let_out(source);
      if (!is_own(result)) not_own(source);
    });
  }

  void look_at_call(const Instruction& code, FunctionId callee) {
    if (all_.only_touches(callee)) return;
    const Function& called = all_.program_.functions[callee];
    const auto arguments = function_.arguments_of(code);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool has_parameter = called.has_body() && i < called.parameters.size();
      if (!has_parameter || !all_.kept_[callee.index()][i]) let_out(arguments[i]);
      if (has_parameter && !is_own(arguments[i])) refuse(all_.own_[callee.index()], i);
    }
    if (called.has_body())
      for (std::size_t i = arguments.size(); i < called.parameters.size(); ++i) refuse(all_.own_[callee.index()], i);
  }

  OwnMemory& all_;
  FunctionId id_;
  const Function& function_;
  bool changed_ = false;
};

OwnMemory::OwnMemory(const Program& program, const api::ApiModels& models)
    : program_(program), models_(models), own_(program.functions.size()), kept_(program.functions.size()) {
  const FunctionId main = program.find_function("main");
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    if (!function.has_body()) continue;
    const bool is_closed = function.linkage == Linkage::Internal || (main.valid() && FunctionId(f) != main);
    kept_[f].assign(function.value_count(), true);
    own_[f].resize(function.value_count());
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
      own_[f][i] = is_closed && !function.is_address_taken && !function.is_vararg;
    for (std::size_t i = 0; i < function.instructions.size(); ++i)
      own_[f][function.result_of(i).index()] =
          function.instructions[i].opcode == Opcode::Alloca || derives_address(function.instructions[i]);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t f = 0; f < program.functions.size(); ++f)
      if (program.functions[FunctionId(f)].has_body()) changed = Look(*this, FunctionId(f)).changes() || changed;
  }
}

/// A library function that looks at the memory it is given and keeps no address of it.
bool OwnMemory::only_touches(FunctionId callee) const {
  if (program_.functions[callee].has_body()) return false;
  const api::Model* model = models_.find(program_.functions[callee].name);
  const auto is_touch = [](const api::Effect& effect) {
    const auto touch = api::get<api::Touch>(effect);
    return touch && touch->extent != api::Touch::Extent::Reachable;
  };
  return model != nullptr && std::ranges::all_of(model->effects, is_touch);
}

}  // namespace heddle::explore
