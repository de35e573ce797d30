// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/open_ends.h"

#include <algorithm>

#include "interpret/library/repeatable.h"

namespace heddle::explore {
namespace {

using api::EffectKind;

/// Effects whose execution the search controls: all their outcomes are visible operations or choices.
bool is_controlled(const api::Effect& effect) {
  switch (effect.kind) {
    case EffectKind::Acquire:
    case EffectKind::Release:
    case EffectKind::LockInit:
    case EffectKind::LockDestroy:
    case EffectKind::SetRecursive:
    case EffectKind::Spawn:
    case EffectKind::Join:
    case EffectKind::Detach:
    case EffectKind::ThreadExit:
    case EffectKind::Signal:
    case EffectKind::Broadcast:
    case EffectKind::BarrierInit:
    case EffectKind::BarrierWait:
    case EffectKind::Once:
    case EffectKind::SemInit:
    case EffectKind::SemWait:
    case EffectKind::SemPost:
    case EffectKind::AtomicBegin:
    case EffectKind::AtomicEnd:
    case EffectKind::Allocate:
    case EffectKind::Free:
    case EffectKind::Reallocate:
    case EffectKind::Assume:
    case EffectKind::NoReturn:
    case EffectKind::Nondet:  // the executor asks for it, and notes that it did
    case EffectKind::Returns: return true;
    case EffectKind::Wait: return effect.blocking;
    default: return false;
  }
}

/// The machine carries out one effect of a model; a second one would be left out.
bool is_controlled(const api::Model& model) { return model.effects.size() == 1 && is_controlled(model.effects[0]); }

class OpenEnds {
 public:
  OpenEnds(const Program& program, const api::ApiModels& models) : program_(program), models_(models) {}

  std::set<std::string> find() {
    for (const Global& global : program_.globals) look_at(global);
    bool unwinds = false, ends_threads = false;
    for (const Function& function : program_.functions) {
      for (const Instruction& code : function.instructions) unwinds = unwinds || code.opcode == Opcode::LandingPad;
      ends_threads = ends_threads || (!function.has_body() && has_effect(function, EffectKind::ThreadExit));
      if (function.linkage == Linkage::Weak || function.may_be_missing)
        add("another definition may replace '" + std::string(function.name) + "'");
      if (function.has_body())
        look_inside(function);
      else
        look_at_library(function);
    }
    if (unwinds && ends_threads) add("the end of a thread may run destructors");
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool has_effect(const Function& function, EffectKind kind) const {
    const api::Model* model = models_.find(function.name);
    return model != nullptr &&
           std::ranges::any_of(model->effects, [&](const api::Effect& e) { return e.kind == kind; });
  }

  void add(std::string what) { found_.insert(std::move(what)); }

  void look_at(const Global& global) {
    if (global.is_declaration() && !interpret::is_output_stream(global.name))
      add("'" + std::string(global.name) + "' is defined elsewhere");
    if (global.linkage == Linkage::Weak || global.may_be_missing)
      add("another definition may replace '" + std::string(global.name) + "'");
  }

  void look_at_library(const Function& function) {
    const api::Model* model = models_.find(function.name);
    const bool harmless = interpret::is_native(function.name) ? interpret::is_repeatable(function.name)
                                                              : model != nullptr && is_controlled(*model);
    if (!harmless) add("'" + std::string(function.name) + "' is not under the search's control");
  }

  void look_inside(const Function& function) {
    std::vector<bool> is_used(function.value_count());
    for (const Operand operand : function.operands)
      if (operand.is_value()) is_used[operand.as_value().index()] = true;
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
      if (function.name == "main" && is_used[i]) add("main reads its arguments");
    for (std::size_t i = 0; i < function.instructions.size(); ++i)
      look_at(function, function.instructions[i], is_used[function.result_of(i).index()]);
  }

  void look_at(const Function& function, const Instruction& code, bool is_used) {
    const bool is_weak_exchange =
        code.opcode == Opcode::CmpXchg &&
        (code.has_flag(Instruction::weak) || static_cast<AtomicOrder>(code.detail) != AtomicOrder::SeqCst);
    if ((code.is_atomic() && code.order != AtomicOrder::SeqCst) || code.opcode == Opcode::Fence || is_weak_exchange)
      add("an atomic access or fence that is weaker than sequential consistency");
    if (code.opcode == Opcode::Cast) look_at_cast(code.cast_op());
    if (code.opcode == Opcode::Compare && code.predicate() >= Predicate::FFalse)
      add("real numbers are compared, which rounding decides");
    if (code.is_call() && is_used) look_at_result(function, code);
  }

  void look_at_cast(CastOp op) {
    if (op == CastOp::PtrToInt) add("an address is used as a number");
    if (op == CastOp::FpToSi || op == CastOp::FpToUi) add("a real number is made an integer, which rounding decides");
  }

  /// Which thread a barrier calls the last one is not said anywhere.
  void look_at_result(const Function& function, const Instruction& call) {
    const Operand callee = function.operands_of(call)[0];
    if (!callee.is_function()) return;
    if (has_effect(program_.functions[callee.as_function()], EffectKind::BarrierWait))
      add("the result of a barrier is used");
  }

  const Program& program_;
  const api::ApiModels& models_;
  std::set<std::string> found_;
};

const char* assumption_of(const api::Effect& effect) {
  switch (effect.kind) {
    case EffectKind::Acquire:
    case EffectKind::SemWait: return "locks-succeed";
    case EffectKind::Spawn: return "creation-succeeds";
    case EffectKind::Allocate:
    case EffectKind::Reallocate: return "allocation-succeeds";
    default: return nullptr;
  }
}

}  // namespace

std::set<std::string> open_ends(const Program& program, const api::ApiModels& models) {
  return OpenEnds(program, models).find();
}

std::set<std::string> exhaustion_assumptions(const Program& program, const api::ApiModels& models) {
  std::set<std::string> names{"sequential-consistency"};
  for (const Function& function : program.functions) {
    const api::Model* model = function.has_body() ? nullptr : models.find(function.name);
    if (model == nullptr) continue;
    for (const api::Effect& effect : model->effects)
      if (const char* name = assumption_of(effect)) names.insert(name);
  }
  return names;
}

}  // namespace heddle::explore
