// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/propose/net_locks.h"

#include "api/action.h"

namespace heddle::api {
namespace {

/// What happened to each lock since entry; a lock that was taken and given back is not in it.
struct Happened {
  std::map<LockPlace, Effect> locks;
  /// A try-lock whose result nobody looked at yet.
  std::optional<NetLocks::Row> tried;
  ValueId result;  ///< of that call
  bool is_mixed = false;

  bool operator==(const Happened& other) const {
    const auto tried_place = [](const Happened& h) { return h.tried ? h.tried->place : LockPlace(); };
    return locks == other.locks && result == other.result && is_mixed == other.is_mixed &&
           tried_place(*this) == tried_place(other);
  }
};

/// Takes or gives back a lock that an argument points to: what a wrapper can be a wrapper of.
bool changes_a_lock(const Effect& effect) {
  const auto is_object = [](const LockRef& lock) { return lock.kind == LockRef::Kind::Object; };
  return treat(
      action_of(effect), [&](const TakeLock& take) { return is_object(take.lock); },
      [&](const GiveLock& give) { return is_object(give.lock); },
      Always<false, SetUpObject, StartThread, RunLater, LeaveThread, UseCondition, WaitAtBarrier, UseSemaphore, RunOnce,
             UseThreadValue, MakeMemory, Touch, TouchAtomic, MovePointers, ReturnValue, CallBack, End, Assume,
             MaskEntries, DoUnsupported>{});
}

Effect inverted(Effect effect) {
  effect.success = effect.success == Success::Zero ? Success::NonZero : Success::Zero;
  return effect;
}

class FunctionWalk {
 public:
  FunctionWalk(const Program& program, const ApiModels& models, const Function& function,
               const std::vector<NetLocks>& known)
      : program_(program), models_(models), f_(function), known_(known) {}

  NetLocks run() {
    std::vector<std::optional<Happened>> entry(f_.blocks.size());
    entry[0] = Happened();
    std::vector<BlockId> work{BlockId(0)};
    std::optional<Happened> end;
    while (!work.empty()) {
      const BlockId block = work.back();
      work.pop_back();
      Happened now = *entry[block.index()];
      const Instruction* last = nullptr;
      for (const Instruction& i : f_.instructions_of(f_.blocks[block.index()])) {
        step(i, now);
        last = &i;
      }
      if (last == nullptr) continue;
      if (last->opcode == Opcode::Return) join(end, returned(*last, now));
      for (const BlockId next : f_.successors(block))
        if (join(entry[next.index()], now)) work.push_back(next);
    }
    return result_of(end);
  }

 private:
  /// True if `into` changed.
  static bool join(std::optional<Happened>& into, const Happened& other) {
    if (!into) {
      into = other;
      return true;
    }
    if (into->is_mixed || *into == other) return false;
    *into = Happened();
    into->is_mixed = true;
    return true;
  }

  void step(const Instruction& i, Happened& now) {
    const auto call = direct_call(f_, i);
    if (!call || now.is_mixed) return;
    const Function& callee = program_.functions[call->callee];
    const Model* model = callee.has_body() ? models_.find_wrapper(callee.name) : models_.find(callee.name);
    if (model == nullptr) return apply_known(known_[call->callee.index()], *call, i, now);
    for (const Effect& effect : model->effects) {
      if (!changes_a_lock(effect)) continue;
      if (effect.object < 0 || static_cast<std::size_t>(effect.object) >= call->arguments.size()) continue;
      apply(lock_place(f_, call->arguments[static_cast<std::size_t>(effect.object)]), effect, i, now);
    }
  }

  void apply_known(const NetLocks& net, const DirectCall& call, const Instruction& i, Happened& now) {
    if (net.is_mixed) now.is_mixed = true;
    for (const NetLocks::Row& row : net.rows) {
      LockPlace place = row.place;
      if (place.root == LockPlace::Root::Argument) {
        if (place.index >= call.arguments.size()) continue;
        place = lock_place(f_, call.arguments[place.index]);
        place.offset += row.place.offset;
      }
      apply(place, row.effect, i, now);
    }
  }

  void apply(const LockPlace& place, const Effect& effect, const Instruction& call, Happened& now) {
    Effect kept;
    kept.kind = effect.kind;
    kept.mode = effect.mode;
    if (effect.kind == EffectKind::Acquire && !effect.blocking) {
      if (now.tried) now.is_mixed = true;
      kept.blocking = false;
      kept.success = effect.success;
      now.tried = NetLocks::Row{place, kept};
      now.result = f_.result_of(static_cast<std::size_t>(&call - f_.instructions.data()));
      return;
    }
    const auto [at, is_new] = now.locks.emplace(place, kept);
    if (is_new) return;
    if (at->second.kind == kept.kind)
      now.is_mixed = true;  // taken twice
    else
      now.locks.erase(at);
  }

  /// A try-lock counts if its result is what the function returns.
  Happened returned(const Instruction& ret, Happened now) const {
    if (!now.tried) return now;
    const auto operands = f_.operands_of(ret);
    Operand value = operands.empty() ? Operand() : operands[0];
    bool is_inverted = false;
    for (int depth = 0; depth < 4 && value.is_value() && value.as_value() != now.result; ++depth) {
      if (f_.is_parameter(value.as_value())) break;
      const Instruction& i = f_.instructions[f_.definition(value.as_value())];
      const auto parts = f_.operands_of(i);
      const bool compares_with_zero = i.opcode == Opcode::Compare && is_zero(parts[1]) &&
                                      (i.predicate() == Predicate::Eq || i.predicate() == Predicate::Ne);
      if (i.opcode != Opcode::Cast && !compares_with_zero) break;
      if (compares_with_zero && i.predicate() == Predicate::Eq) is_inverted = !is_inverted;
      value = parts[0];
    }
    if (!value.is_value() || value.as_value() != now.result) {
      now.is_mixed = true;
    } else {
      now.locks.emplace(now.tried->place, is_inverted ? inverted(now.tried->effect) : now.tried->effect);
      now.tried.reset();
      now.result = {};
    }
    return now;
  }

  [[nodiscard]] bool is_zero(Operand operand) const {
    if (!operand.is_constant()) return false;
    const Constant& c = program_.constants[operand.as_constant()];
    return c.kind == Constant::Kind::Int && c.bits == 0 && c.wide.empty();
  }

  static NetLocks result_of(const std::optional<Happened>& end) {
    NetLocks out;
    if (!end) return out;
    out.is_mixed = end->is_mixed;
    if (!out.is_mixed)
      for (const auto& [place, effect] : end->locks) out.rows.push_back({place, effect});
    return out;
  }

  const Program& program_;
  const ApiModels& models_;
  const Function& f_;
  const std::vector<NetLocks>& known_;
};

/// Every function with a body after those it calls; in a circle, whichever comes first.
std::vector<FunctionId> callees_first(const Program& program) {
  std::vector<FunctionId> order;
  std::vector<bool> seen(program.functions.size(), false);
  struct Visit {
    FunctionId function;
    std::size_t next = 0;  ///< instruction to look at
  };
  std::vector<Visit> stack;
  const auto enter = [&](FunctionId id) {
    if (seen[id.index()] || !program.functions[id].has_body()) return;
    seen[id.index()] = true;
    stack.push_back({id});
  };
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    enter(FunctionId(i));
    while (!stack.empty()) {
      const FunctionId id = stack.back().function;
      const Function& f = program.functions[id];
      if (stack.back().next == f.instructions.size()) {
        order.push_back(id);
        stack.pop_back();
        continue;
      }
      if (const auto call = direct_call(f, f.instructions[stack.back().next++])) enter(call->callee);
    }
  }
  return order;
}

}  // namespace

std::optional<DirectCall> direct_call(const Function& function, const Instruction& instruction) {
  if (!instruction.is_call()) return std::nullopt;
  const auto operands = function.operands_of(instruction);
  if (operands.empty() || !operands[0].is_function()) return std::nullopt;
  return DirectCall{operands[0].as_function(), function.arguments_of(instruction)};
}

LockPlace lock_place(const Function& function, Operand pointer) {
  LockPlace place;
  for (;;) {
    if (pointer.is_global()) return {LockPlace::Root::Global, pointer.index(), place.offset};
    place.index = pointer.is_value() ? pointer.index() : ~0U;
    if (!pointer.is_value()) return place;
    if (function.is_parameter(pointer.as_value())) {
      place.root = LockPlace::Root::Argument;
      return place;
    }
    const Instruction& i = function.instructions[function.definition(pointer.as_value())];
    if (i.opcode != Opcode::Gep || i.operand_count != 1) return place;
    place.offset += function.geps[i.extra].constant_offset;
    pointer = function.operands_of(i)[0];
  }
}

std::vector<NetLocks> net_locks(const Program& program, const ApiModels& models) {
  std::vector<NetLocks> out(program.functions.size());
  for (const FunctionId id : callees_first(program))
    out[id.index()] = FunctionWalk(program, models, program.functions[id], out).run();
  return out;
}

}  // namespace heddle::api
