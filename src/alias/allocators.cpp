// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/allocators.h"

#include <algorithm>
#include <optional>
#include <span>
#include <variant>

namespace heddle::alias {
namespace {

/// What a library call does with one of its arguments.
enum class Use : std::uint8_t {
  Nothing,  ///< or reads or ends what it leads to
  Content,  ///< writes it, sets something up there, or moves pointers in or out
  Result,   ///< returns it
  Moved,    ///< returns what it led to, moved
  Unknown
};

Use use_of(const api::Action& action, api::Argument given) {
  const auto only_if = [&](bool is_used, Use use) { return is_used ? use : Use::Nothing; };
  const auto unknown = [](const auto&) { return Use::Unknown; };
  return api::treat(
      action,
      [&](const api::Touch& touch) {
        if (touch.extent == api::Touch::Extent::Reachable) return Use::Unknown;
        const bool is_there = touch.extent == api::Touch::Extent::Object     ? touch.object == given
                              : touch.extent == api::Touch::Extent::Variadic ? touch.object <= given
                                                                             : false;
        return only_if(is_there && touch.mode == api::Touch::Mode::Write, Use::Content);
      },
      [&](const api::MakeMemory& make) {
        return make.into == given ? Use::Unknown : only_if(make.old == given, Use::Moved);
      },
      [&](const api::MovePointers& move) {
        if (move.how == api::MovePointers::How::Into && move.from == given) return Use::Unknown;
        return only_if(move.to == given || move.from == given, Use::Content);
      },
      [&](const api::ReturnValue& value) {
        switch (value.what) {
          case api::ReturnValue::What::Argument: return only_if(value.object == given, Use::Result);
          case api::ReturnValue::What::Hidden:
          case api::ReturnValue::What::ThisThread:
          case api::ReturnValue::What::Anything: return Use::Nothing;
          case api::ReturnValue::What::Into:
          case api::ReturnValue::What::Own:
          case api::ReturnValue::What::Reachable: return only_if(value.object == given, Use::Unknown);
        }
        return Use::Unknown;
      },
      [&](const api::SetUpObject& object) { return only_if(object.object == given, Use::Content); },
      [&](const api::Assume&) { return Use::Nothing; }, [&](const api::End& end) {
        return only_if(end.value == given, Use::Unknown);
      },
      [&](const api::TakeLock& x) { return unknown(x); }, [&](const api::GiveLock& x) { return unknown(x); },
      [&](const api::StartThread& x) { return unknown(x); }, [&](const api::RunLater& x) { return unknown(x); },
      [&](const api::LeaveThread& x) { return unknown(x); }, [&](const api::UseCondition& x) { return unknown(x); },
      [&](const api::WaitAtBarrier& x) { return unknown(x); }, [&](const api::UseSemaphore& x) { return unknown(x); },
      [&](const api::RunOnce& x) { return unknown(x); }, [&](const api::UseThreadValue& x) { return unknown(x); },
      [&](const api::TouchAtomic& x) { return unknown(x); }, [&](const api::CallBack& x) { return unknown(x); },
      [&](const api::MaskEntries& x) { return unknown(x); }, [&](const api::DoUnsupported& x) { return unknown(x); });
}

Use use_of(const api::Model& model, std::size_t given) {
  Use out = Use::Nothing;
  for (const api::Effect& effect : model.effects)
    out = std::max(out, use_of(api::action_of(effect), static_cast<api::Argument>(given)));
  return out;
}

/// One function, with what is known of those that it calls.
class Look {
 public:
  Look(const Program& program, const std::vector<const api::Model*>& models, const std::vector<Allocator>& known,
       FunctionId id)
      : program_(program), models_(models), known_(known), function_(program.functions[id]) {}

  [[nodiscard]] Allocator find() {
    Allocator out;
    out.makes = makes(out);
    if (!out.makes) out.fills = false, out.moved = api::Effect::none;
    for (std::size_t i = 0; i < function_.parameters.size(); ++i)
      if (is_pointer(Operand::value(ValueId(i))) && is_passive(i, out)) {
        out.passive.resize(function_.parameters.size());
        out.passive[i] = true;
      }
    // What it makes is the caller's memory: then the parameter must be no more than that.
    if (out.moved != api::Effect::none && !out.is_passive(static_cast<std::size_t>(out.moved))) return {};
    return out;
  }

 private:
  bool makes(Allocator& out) {
    new_.assign(function_.value_count(), false);
    if (!make_returned(out)) return false;
    for (std::size_t i = 0; i < function_.value_count(); ++i)
      if (new_[i]) pending_.push_back(ValueId(i));
    while (!pending_.empty()) {
      const ValueId value = pending_.back();
      pending_.pop_back();
      if (!is_kept_secret(value, out)) return false;
    }
    return is_any_;
  }

  /// Marks what is returned as new; false if something else is.
  bool make_returned(Allocator& out) {
    for (const Instruction& code : function_.instructions) {
      if (code.opcode != Opcode::Return) continue;
      const auto operands = function_.operands_of(code);
      if (operands.empty() || !make_new(operands[0], out)) return false;
    }
    return is_any_;
  }

  bool make_new(Operand operand, Allocator& out) {
    if (operand.is_constant()) {
      const Constant::Kind kind = program_.constants[operand.as_constant()].kind;
      return kind == Constant::Kind::Null || kind == Constant::Kind::Zero;
    }
    if (!operand.is_value() || function_.is_parameter(operand.as_value()) || !is_pointer(operand)) return false;
    if (new_[operand.index()]) return true;
    new_[operand.index()] = true;
    const Instruction& code = function_.instructions[function_.definition(operand.as_value())];
    const auto parts = function_.operands_of(code);
    switch (code.opcode) {
      case Opcode::Phi:
        return std::ranges::all_of(parts, [&](Operand part) { return part.is_block() || make_new(part, out); });
      case Opcode::Select: return make_new(parts[1], out) && make_new(parts[2], out);
      case Opcode::Freeze: return make_new(parts[0], out);
      case Opcode::Call:
      case Opcode::Invoke: return make_called(code, out);
      default: return false;
    }
  }

  bool make_called(const Instruction& call, Allocator& out) {
    const auto callee = function_.operands_of(call)[0];
    if (!callee.is_function()) return false;
    const auto arguments = function_.arguments_of(call);
    const api::Model* model = model_of(callee.as_function());
    if (model == nullptr) {
      const Allocator& theirs = known_[callee.index()];
      if (!theirs.makes) return false;
      out.fills |= theirs.fills;
      is_any_ = true;
      return theirs.moved == api::Effect::none || move(arguments, theirs.moved, out);
    }
    for (const api::Effect& effect : model->effects) {
      if (const auto made = api::get<api::MakeMemory>(effect); made && made->into == api::Effect::none) {
        is_any_ = true;
        return made->old == api::Effect::none || move(arguments, made->old, out);
      }
      const auto value = api::get<api::ReturnValue>(effect);
      if (value && value->what == api::ReturnValue::What::Argument && value->object >= 0 &&
          static_cast<std::size_t>(value->object) < arguments.size())
        return make_new(arguments[static_cast<std::size_t>(value->object)], out);
    }
    return false;
  }

  /// The memory is what one parameter led to, and always the same one.
  bool move(std::span<const Operand> arguments, api::Argument old, Allocator& out) const {
    if (static_cast<std::size_t>(old) >= arguments.size()) return false;
    const Operand given = arguments[static_cast<std::size_t>(old)];
    if (!given.is_value() || !function_.is_parameter(given.as_value())) return false;
    const auto parameter = static_cast<api::Argument>(given.index());
    if (out.moved != api::Effect::none && out.moved != parameter) return false;
    out.moved = parameter;
    return true;
  }

  bool is_kept_secret(ValueId value, Allocator& out) {
    return std::ranges::all_of(function_.instructions, [&](const Instruction& code) {
      const auto operands = function_.operands_of(code);
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (operands[i] == Operand::value(value) && !is_secret_use(code, i, out)) return false;
      return true;
    });
  }

  bool is_secret_use(const Instruction& code, std::size_t operand, Allocator& out) {
    switch (code.opcode) {
      case Opcode::Compare:
      case Opcode::Return:
      case Opcode::MemSet: return true;
      case Opcode::Load:
        out.fills = true;
        return true;
      case Opcode::Store:
        out.fills = true;
        return operand == 1;
      case Opcode::MemCopy:
        out.fills = true;
        return operand < 2;
      case Opcode::Gep: return operand == 0 && follow(code);
      case Opcode::Phi:
      case Opcode::Freeze: return follow(code);
      case Opcode::Select: return operand != 0 && follow(code);
      case Opcode::Call:
      case Opcode::Invoke: return is_secret_argument(code, operand, out);
      default: return false;
    }
  }

  bool follow(const Instruction& code) {
    const ValueId result = function_.result_of(static_cast<std::size_t>(&code - function_.instructions.data()));
    if (!new_[result.index()]) {
      new_[result.index()] = true;
      pending_.push_back(result);
    }
    return true;
  }

  bool is_secret_argument(const Instruction& call, std::size_t operand, Allocator& out) {
    const std::optional<Use> use = use_in(call, operand);
    if (!use || *use >= Use::Moved) return false;
    if (*use != Use::Nothing) out.fills = true;
    return *use != Use::Result || follow(call);
  }

  /// None: not as an argument.
  [[nodiscard]] std::optional<Use> use_in(const Instruction& call, std::size_t operand) const {
    const auto arguments = function_.arguments_of(call);
    const auto callee = function_.operands_of(call)[0];
    if (!callee.is_function() || operand == 0 || operand > arguments.size()) return std::nullopt;
    const Function& called = program_.functions[callee.as_function()];
    if (const api::Model* model = model_of(callee.as_function())) return use_of(*model, operand - 1);
    if (!called.has_body()) return called.is_intrinsic ? Use::Nothing : Use::Unknown;
    const Allocator& theirs = known_[callee.index()];
    if (arguments.size() != called.parameters.size() || !theirs.is_passive(operand - 1)) return Use::Unknown;
    return theirs.moved == static_cast<api::Argument>(operand - 1) ? Use::Moved : Use::Nothing;
  }

  bool is_passive(std::size_t parameter, const Allocator& out) const {
    for (std::size_t i = 0; i < function_.instructions.size(); ++i) {
      const Instruction& code = function_.instructions[i];
      const auto operands = function_.operands_of(code);
      for (std::size_t k = 0; k < operands.size(); ++k) {
        if (operands[k] != Operand::value(ValueId(parameter)) || code.opcode == Opcode::Compare) continue;
        if (!code.is_call()) return false;
        const std::optional<Use> use = use_in(code, k);
        const bool is_moved = use == Use::Moved && out.moved == static_cast<api::Argument>(parameter) &&
                              new_[function_.result_of(i).index()];
        if (use != Use::Nothing && !is_moved) return false;
      }
    }
    return true;
  }

  [[nodiscard]] const api::Model* model_of(FunctionId id) const {
    return program_.functions[id].has_body() ? nullptr : models_[id.index()];
  }

  [[nodiscard]] bool is_pointer(Operand operand) const {
    const TypeId type = function_.is_parameter(operand.as_value())
                            ? function_.parameters[operand.index()]
                            : function_.instructions[function_.definition(operand.as_value())].type;
    return type.valid() && program_.types[type].kind == TypeKind::Pointer;
  }

  const Program& program_;
  const std::vector<const api::Model*>& models_;
  const std::vector<Allocator>& known_;
  const Function& function_;
  std::vector<bool> new_;  ///< by value: memory that the function made, or a place in it
  std::vector<ValueId> pending_;
  bool is_any_ = false;
};

}  // namespace

std::vector<Allocator> find_allocators(const Program& program, const std::vector<const api::Model*>& models) {
  std::vector<Allocator> known(program.functions.size());
  constexpr int rounds = 8;  // wrappers of wrappers; what is deeper is not found
  bool is_changed = true;
  for (int round = 0; round < rounds && is_changed; ++round) {
    is_changed = false;
    for (std::uint32_t f = 0; f < known.size(); ++f) {
      const Function& function = program.functions[FunctionId(f)];
      if (!function.has_body() || function.is_vararg) continue;
      Allocator found = Look(program, models, known, FunctionId(f)).find();
      is_changed |= found != known[f];
      known[f] = std::move(found);
    }
  }
  return known;
}

}  // namespace heddle::alias
