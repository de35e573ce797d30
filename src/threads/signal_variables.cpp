// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads/signal_variables.h"

#include <algorithm>
#include <optional>

#include "api/action.h"
#include "program/model/accessed_bytes.h"
#include "program/model/first_bits.h"
#include "program/model/function_queries.h"

namespace heddle::threads {
namespace {

/// The number a whole variable has when the program begins; none if it is no plain number.
std::optional<std::int64_t> first_value(const Program& program, const Global& global) {
  const auto bits = global.is_thread_local ? std::nullopt : first_bits(program, global, 0, global.size);
  return bits ? std::optional(with_sign(*bits, 8 * global.size)) : std::nullopt;
}

/// Collects what is done with each global, as far as it may be a signal.
class Uses {
 public:
  Uses(const Program& program, const std::vector<const api::Model*>& models) : program_(program), models_(models) {
    all_.resize(program_.globals.size());
    for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
      const Function& function = program_.functions[FunctionId(f)];
      for (std::uint32_t i = 0; i < function.instructions.size(); ++i) look_at({FunctionId(f), i});
    }
    for (const Global& global : program_.globals)
      for (const Relocation& to : global.relocations)
        if (to.target.is_global()) all_[to.target.as_global().index()].is_known = false;
  }

  [[nodiscard]] std::vector<SignalVariable> signals() const {
    std::vector<SignalVariable> out;
    for (std::uint32_t g = 0; g < all_.size(); ++g) {
      const Of& of = all_[g];
      if (!of.is_known || of.tells.empty()) continue;
      if (of.is_semaphore && of.starts_at_zero && of.begins) out.push_back({of.tells, {}, of.waits});
      const auto first = first_value(program_, program_.globals[GlobalId(g)]);
      if (of.is_semaphore || of.reads.empty() || !first || *first < 0) continue;
      SignalVariable variable{of.tells, {}, {}};
      for (const CodePlace& read : of.reads) variable.reads[read] = *first;
      out.push_back(std::move(variable));
    }
    return out;
  }

 private:
  struct Of {
    bool is_known = true;  ///< its address goes nowhere else
    bool is_semaphore = false, begins = false, starts_at_zero = true;
    std::vector<CodePlace> tells, reads, waits;
  };

  void look_at(const CodePlace& at) {
    const Function& f = program_.functions[at.function];
    const Instruction& code = f.instructions[at.instruction];
    const auto operands = f.operands_of(code);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].is_global()) continue;
      Of& of = all_[operands[i].as_global().index()];
      const std::uint64_t bytes = code.access_type ? accessed_bytes(program_.types[code.access_type]) : 0;
      const bool is_whole = program_.globals[operands[i].as_global()].size == bytes;
      if (code.opcode == Opcode::Load && is_whole)
        of.reads.push_back(at);
      else if (code.opcode == Opcode::Store && i == 1 && is_whole)
        of.tells.push_back(at);
      else if (code.opcode == Opcode::AtomicRmw && i == 0 && is_whole)
        of.tells.push_back(at);
      else if (!is_semaphore_call(at, operands[i], of))
        of.is_known = false;
    }
  }

  bool is_semaphore_call(const CodePlace& at, Operand object, Of& of) const {
    const Function& f = program_.functions[at.function];
    const Instruction& code = f.instructions[at.instruction];
    if (!code.is_call()) return false;
    const Operand callee = f.operands_of(code)[0];
    if (!callee.is_function()) return false;
    const api::Model* model = models_[callee.index()];
    if (model == nullptr) return false;
    const auto arguments = f.arguments_of(code);
    for (const api::Effect& effect : model->effects) {
      const auto use = api::get<api::UseSemaphore>(effect);
      const auto begin = api::get<api::SetUpObject>(effect);
      const bool begins = begin && begin->what == api::SetUpObject::What::Semaphore;
      if (!use && !begins) continue;
      const auto argument = static_cast<std::size_t>(use ? use->object : begin->object);
      if (argument >= arguments.size() || arguments[argument] != object) return false;
      of.is_semaphore = true;
      if (begins) {
        const auto value = static_cast<std::size_t>(begin->value);
        of.begins = true;
        of.starts_at_zero &= value < arguments.size() &&
                             constant_number(program_, f, arguments[value]) == std::optional(std::int64_t{0});
      } else if (use->step == api::UseSemaphore::Step::Post) {
        of.tells.push_back(at);
      } else if (use->outcome.blocking) {
        of.waits.push_back(at);
      }
      return true;
    }
    return false;
  }

  const Program& program_;
  const std::vector<const api::Model*>& models_;
  std::vector<Of> all_;
};

}  // namespace

std::vector<SignalVariable> find_signal_variables(const Program& program,
                                                  const std::vector<const api::Model*>& models) {
  return Uses(program, models).signals();
}

}  // namespace heddle::threads
