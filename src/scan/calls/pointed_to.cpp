// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/pointed_to.h"

#include <algorithm>

#include "api/action.h"
#include "scan/calls/called_model.h"

namespace heddle::scan {
namespace {

/// Whether the result is an address by itself, and not an operand's own or moved.
bool makes_pointers(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::Alloca:
    case Opcode::Gep:
    case Opcode::Freeze: return false;
    case Opcode::Cast: return instruction.cast_op() == CastOp::IntToPtr;
    default: return true;
  }
}

bool returns_own_state(const api::Model* model) {
  return model != nullptr && std::ranges::any_of(model->effects, [](const api::Effect& effect) {
           const auto value = api::get<api::ReturnValue>(effect);
           return value && value->what == api::ReturnValue::What::Hidden && value->per_thread;
         });
}

/// The operand that an instruction reads or writes at; one of no instruction if there is none.
std::size_t address_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::Load:
    case Opcode::AtomicRmw:
    case Opcode::CmpXchg: return 0;
    case Opcode::Store: return 1;
    default: return ~std::size_t{0};
  }
}

bool gives_away(const Function& function, const std::vector<bool>& addresses) {
  return std::ranges::any_of(function.instructions, [&](const Instruction& instruction) {
    const auto operands = function.operands_of(instruction);
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (operands[k].is_value() && addresses[operands[k].index()] && k != address_of(instruction)) return true;
    return false;
  });
}

/// What a call gives to threads that it starts.
std::vector<Operand> handed_over(const std::vector<const api::Model*>& models, const Function& function,
                                 const Instruction& instruction) {
  const api::Model* model = called_model(models, function, instruction);
  if (model == nullptr) return {};
  const auto arguments = function.arguments_of(instruction);
  std::vector<Operand> out;
  for (const api::Effect& effect : model->effects) {
    const auto start = api::get<api::StartThread>(effect);
    if (start && start->argument >= 0 && static_cast<std::size_t>(start->argument) < arguments.size())
      out.push_back(arguments[static_cast<std::size_t>(start->argument)]);
  }
  return out;
}

}  // namespace

std::vector<bool> find_pointed_to(const Program& program, const alias::AliasFacts& aliases,
                                  const std::vector<const api::Model*>& models) {
  std::vector<bool> objects(aliases.object_count()), handed(aliases.object_count());
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      const Instruction& instruction = function.instructions[i];
      for (const Operand given : handed_over(models, function, instruction))
        if (const alias::Place place = aliases.place(FunctionId(f), given); place.valid())
          handed[place.object.index()] = true;
      if (!instruction.type || program.types[instruction.type].kind == TypeKind::Void || !makes_pointers(instruction))
        continue;
      if (const alias::Place place = aliases.place(FunctionId(f), Operand::value(function.result_of(i))); place.valid())
        objects[place.object.index()] = true;
    }
  }
  std::vector<bool> out(program.globals.size());
  for (std::size_t g = 0; g < out.size(); ++g)
    if (const alias::Place place = aliases.place({}, Operand::global(GlobalId(g))); place.valid())
      out[g] = objects[place.object.index()] ||
               (program.globals[GlobalId(g)].is_thread_local && handed[place.object.index()]);
  return out;
}

bool gives_own_state_away(const Program& program, const std::vector<const api::Model*>& models) {
  std::vector<bool> returns_it;
  for (const api::Model* model : models) returns_it.push_back(returns_own_state(model));
  if (std::ranges::find(returns_it, true) == returns_it.end()) return false;
  return std::ranges::any_of(program.functions, [&](const Function& function) {
    std::vector<bool> addresses;
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      if (!function.instructions[i].is_call()) continue;
      const auto operands = function.operands_of(function.instructions[i]);
      if (operands.empty() || !operands[0].is_function() || !returns_it[operands[0].index()]) continue;
      addresses.resize(function.value_count());
      addresses[function.result_of(i).index()] = true;
    }
    return !addresses.empty() && gives_away(function, addresses);
  });
}

}  // namespace heddle::scan
