// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/open_ends.h"

#include <algorithm>

#include "api/action.h"
#include "interpret/library/repeatable.h"
#include "interpret/machine/externals.h"
#include "program/model/device_register.h"
#include "program/model/function_queries.h"

namespace heddle::explore {
namespace {

bool is_controlled(api::UseCondition::Step step, const api::CallOutcome& outcome) {
  switch (step) {
    case api::UseCondition::Step::Wait: return outcome.blocking;  // time is not under control
    case api::UseCondition::Step::Signal:
    case api::UseCondition::Step::Broadcast: return true;
  }
  return false;
}

bool is_controlled(api::LockRef::Kind kind) {
  switch (kind) {
    case api::LockRef::Kind::Object:
    case api::LockRef::Kind::Section: return true;
    case api::LockRef::Kind::Named: return false;
  }
  return false;
}

/// A body in the caller (OnceBegin) is not: the compiled code looks at the object before it calls.
bool is_controlled(api::RunOnce::Step step) {
  switch (step) {
    case api::RunOnce::Step::Call: return true;
    case api::RunOnce::Step::Begin:
    case api::RunOnce::Step::End:
    case api::RunOnce::Step::Abort: return false;
  }
  return false;
}

bool is_controlled(const api::Touch& touch) {
  switch (touch.mode) {
    case api::Touch::Mode::Free:
    case api::Touch::Mode::End: return true;
    case api::Touch::Mode::Use:
    case api::Touch::Mode::Read:
    case api::Touch::Mode::Write: return false;
  }
  return false;
}

bool is_controlled(api::ReturnValue::What what) {
  switch (what) {
    case api::ReturnValue::What::Anything:  // asks the Chooser, who remembers
    case api::ReturnValue::What::Own:
    case api::ReturnValue::What::Argument: return true;
    case api::ReturnValue::What::Into:
    case api::ReturnValue::What::Reachable:
    case api::ReturnValue::What::Hidden:
    case api::ReturnValue::What::ThisThread: return false;
  }
  return false;
}

bool is_controlled(api::End::Of of) {
  switch (of) {
    case api::End::Of::Thread:
    case api::End::Of::Program:
    case api::End::Of::Exit: return true;
    case api::End::Of::Terminate:
    case api::End::Of::Frame: return false;
  }
  return false;
}

/// A call that gives up at some time also fails if the time or the clock is none, which is not looked at.
bool has_time(const api::CallOutcome& outcome) {
  constexpr int time_is_over = 110, thread_time_is_over = 4;  // ETIMEDOUT, thrd_timedout
  return !outcome.blocking && (outcome.failure == time_is_over || outcome.failure == thread_time_is_over);
}

/// Effects whose execution the search controls: all their outcomes are visible operations or choices.
bool is_controlled(const api::Effect& effect) {
  return api::treat(
      api::action_of(effect),
      [](const api::TakeLock& take) { return is_controlled(take.lock.kind) && !has_time(take.outcome); },
      [](const api::UseSemaphore& use) { return !has_time(use.outcome); },
      [](const api::LeaveThread& leave) { return !has_time(leave.outcome); },
      [](const api::GiveLock& give) { return is_controlled(give.lock.kind); },
      [](const api::UseCondition& use) { return is_controlled(use.step, use.outcome); },
      [](const api::RunOnce& once) { return is_controlled(once.step); },
      [](const api::Touch& touch) { return is_controlled(touch); },
      [](const api::ReturnValue& value) { return is_controlled(value.what); },
      [](const api::End& end) { return is_controlled(end.of); },
      api::Always<true, api::SetUpObject, api::StartThread, api::WaitAtBarrier, api::MakeMemory, api::Assume>{},
      api::Always<false, api::RunLater, api::UseThreadValue, api::TouchAtomic, api::MovePointers, api::CallBack,
                  api::MaskEntries, api::DoUnsupported>{});
}

/// The machine carries out one effect of a model, after the reads beside it; a second one would be left out.
bool is_controlled(const api::Model& model) {
  const auto is_read = [](const api::Effect& effect) { return interpret::reads_fixed_bytes(effect); };
  const auto action = std::ranges::find_if_not(model.effects, is_read);
  return action != model.effects.end() && is_controlled(*action) &&
         std::ranges::all_of(std::next(action), model.effects.end(), is_read);
}

/// Names that a person has written go before those that headers and compilers make.
struct PlainFirst {
  bool operator()(const std::string& a, const std::string& b) const {
    const bool a_is_made = a.starts_with('_') || a.contains('.');
    const bool b_is_made = b.starts_with('_') || b.contains('.');
    return a_is_made != b_is_made ? b_is_made : a < b;
  }
};

/// "'read' is", "'read', 'write' and 3 more are": a few names, the others counted.
std::string listed(const std::set<std::string, PlainFirst>& names) {
  constexpr std::size_t most = 4;
  if (names.size() == 1) return "'" + *names.begin() + "' is";
  std::string out;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (count == most && names.size() > most + 1)
      return out + " and " + std::to_string(names.size() - most) + " more are";
    out += (count == 0 ? "'" : count + 1 == names.size() ? " and '" : ", '") + name + "'";
    ++count;
  }
  return out + " are";
}

class OpenEnds {
 public:
  OpenEnds(const Program& program, const api::ApiModels& models) : program_(program), models_(models) {}

  std::set<std::string> find() {
    for (const std::string_view what : program_.unseen) add(std::string(what));
    for (const Global& global : program_.globals) look_at(global);
    bool unwinds = false, ends_threads = false;
    for (const Function& function : program_.functions) {
      for (const Instruction& code : function.instructions) unwinds = unwinds || code.opcode == Opcode::LandingPad;
      ends_threads = ends_threads || (!function.has_body() && has<api::End>(function, [](const api::End& end) {
                       return end.of == api::End::Of::Thread;
                     }));
      if (function.linkage == Linkage::Weak || function.may_be_missing)
        add("another definition may replace '" + std::string(function.name) + "'");
      if (function.has_body()) look_inside(function);
    }
    for (const FunctionId used : used_functions())
      if (!program_.functions[used].has_body()) look_at_library(program_.functions[used]);
    if (unwinds && ends_threads) add("the end of a thread may run destructors");
    if (!uncontrolled_.empty()) add(listed(uncontrolled_) + " not under the search's control");
    if (!elsewhere_.empty()) add(listed(elsewhere_) + " defined elsewhere");
    return std::move(found_);
  }

 private:
  template <class Primitive>
  [[nodiscard]] bool has(const Function& function, bool (*is_meant)(const Primitive&)) const {
    const api::Model* model = models_.find(function.name);
    return model != nullptr && std::ranges::any_of(model->effects, [&](const api::Effect& effect) {
             const auto found = api::get<Primitive>(effect);
             return found && is_meant(*found);
           });
  }

  /// That code or the initial value of a variable names.
  [[nodiscard]] std::set<FunctionId> used_functions() const {
    std::set<FunctionId> used;
    const auto note = [&](const auto& self, Operand operand) -> void {
      if (operand.is_function()) used.insert(operand.as_function());
      if (operand.is_constant())
        for (const Operand element : program_.constants[operand.as_constant()].elements) self(self, element);
    };
    for (const Function& function : program_.functions)
      for (const Operand operand : function.operands) note(note, operand);
    for (const Global& global : program_.globals)
      for (const Relocation& relocation : global.relocations) note(note, relocation.target);
    used.insert(program_.constructors.begin(), program_.constructors.end());
    return used;
  }

  void add(std::string what) { found_.insert(std::move(what)); }

  void look_at(const Global& global) {
    if (global.is_declaration() && !interpret::is_output_stream(global.name) && !device_address(global))
      elsewhere_.insert(std::string(global.name));
    if (global.linkage == Linkage::Weak || global.may_be_missing)
      add("another definition may replace '" + std::string(global.name) + "'");
  }

  void look_at_library(const Function& function) {
    if (!is_under_control(function, models_)) uncontrolled_.insert(std::string(function.name));
  }

  void look_inside(const Function& function) {
    const std::vector<bool> is_used = used_values(function);
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
      if (function.name == "main" && is_used[i]) add("main reads its arguments");
    for (std::size_t i = 0; i < function.instructions.size(); ++i)
      look_at(function, function.instructions[i], is_used[function.result_of(i).index()]);
  }

  void look_at(const Function& function, const Instruction& code, bool is_used) {
    if (code.opcode != Opcode::Load)
      for (const Operand operand : function.operands_of(code)) look_at_stream(operand);
    if (code.opcode == Opcode::CmpXchg && code.has_flag(Instruction::weak))
      add("an exchange that may fail without a reason");
    if (code.opcode == Opcode::Cast) look_at_cast(code.cast_op());
    if (code.opcode == Opcode::Compare && code.predicate() >= Predicate::FFalse)
      add("real numbers are compared, which rounding decides");
    if (code.is_call() && is_used) look_at_result(function, code);
  }

  /// Printing reads the variable; the machine does not, so it has to stay what it is.
  void look_at_stream(Operand operand) {
    if (!operand.is_global()) return;
    const Global& global = program_.globals[operand.as_global()];
    if (global.is_declaration() && interpret::is_output_stream(global.name))
      add("the variable '" + std::string(global.name) + "' is used other than by reading it");
  }

  void look_at_cast(CastOp op) {
    if (op == CastOp::FpToSi || op == CastOp::FpToUi) add("a real number is made an integer, which rounding decides");
  }

  /// Which thread a barrier calls the last one is not said anywhere.
  void look_at_result(const Function& function, const Instruction& call) {
    const Operand callee = function.operands_of(call)[0];
    if (!callee.is_function()) return;
    const Function& called = program_.functions[callee.as_function()];
    if (has<api::WaitAtBarrier>(
            called, [](const api::WaitAtBarrier& wait) { return wait.step == api::WaitAtBarrier::Step::Wait; }))
      add("the result of a barrier is used");
  }

  const Program& program_;
  const api::ApiModels& models_;
  std::set<std::string> found_;
  std::set<std::string, PlainFirst> uncontrolled_;  ///< functions of libraries
  std::set<std::string, PlainFirst> elsewhere_;     ///< variables
};

/// What a proof that used the effect takes for granted.
const char* assumption_of(const api::Effect& effect) {
  constexpr const char* none = nullptr;
  return api::treat(
      api::action_of(effect),
      [](const api::TakeLock& take) { return take.lock.kind == api::LockRef::Kind::Object ? "locks-succeed" : none; },
      [](const api::UseSemaphore& use) { return use.step == api::UseSemaphore::Step::Wait ? "locks-succeed" : none; },
      [](const api::UseCondition& use) { return use.step == api::UseCondition::Step::Wait ? "waits-return" : none; },
      [](const api::StartThread&) { return "creation-succeeds"; },
      [](const api::MakeMemory&) { return "allocation-succeeds"; },
      api::Always<none, api::GiveLock, api::SetUpObject, api::RunLater, api::LeaveThread, api::WaitAtBarrier,
                  api::RunOnce, api::UseThreadValue, api::Touch, api::TouchAtomic, api::MovePointers, api::ReturnValue,
                  api::CallBack, api::End, api::Assume, api::MaskEntries, api::DoUnsupported>{});
}

}  // namespace

bool is_under_control(const Function& function, const api::ApiModels& models) {
  if (interpret::is_native(function.name)) return interpret::is_repeatable(function.name);
  const api::Model* model = models.find(function.name);
  return model != nullptr && is_controlled(*model);
}

std::set<std::string> open_ends(const Program& program, const api::ApiModels& models) {
  return OpenEnds(program, models).find();
}

std::set<std::string> exhaustion_assumptions(const Program& program, const api::ApiModels& models) {
  std::set<std::string> names{"sequential-consistency"};
  for (const Function& function : program.functions) {
    const api::Model* model = function.has_body() ? nullptr : models.find(function.name);
    if (model == nullptr) continue;
    for (const api::Effect& effect : model->effects) {
      if (const char* name = assumption_of(effect)) names.insert(name);
      if (effect.granted != api::Granted::Nothing) names.insert(std::string(api::assumption_of(effect.granted)));
    }
  }
  return names;
}

}  // namespace heddle::explore
