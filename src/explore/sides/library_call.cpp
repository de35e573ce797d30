// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "api/object_size.h"
#include "explore/sides/access_key.h"
#include "explore/sides/effects_walk.h"
#include "program/model/function_queries.h"

namespace heddle::explore {

Operand CodeEffects::LibraryCall::argument(api::Argument number) const {
  const auto arguments = walk_.function_.arguments_of(code_);
  return number >= 0 && static_cast<std::size_t>(number) < arguments.size()
             ? arguments[static_cast<std::size_t>(number)]
             : Operand();
}

void CodeEffects::LibraryCall::anything() {
  const FunctionId callee = walk_.function_.operands_of(code_)[0].as_function();
  walk_.anything(std::string(walk_.all_.program_.functions[callee].name));
}

void CodeEffects::LibraryCall::apply(const api::Model& model) {
  for (const api::Effect& effect : model.effects)
    if (state_) apply(api::action_of(effect));
}

void CodeEffects::LibraryCall::apply(const api::Action& action) {
  const auto* lock = std::get_if<api::TakeLock>(&action);
  const bool takes = lock != nullptr && lock->outcome.blocking && lock->mode == api::LockMode::Exclusive;
  for (const api::ObjectUse& one : api::object_uses(action)) {
    if (one.indirect)
      anything();
    else
      use(one, takes);
  }
  api::treat(
      action, [&](const api::TakeLock& one) { take(one); }, [&](const api::GiveLock& one) { give(one); },
      [&](const api::SetUpObject& one) {
        if (one.object == api::Effect::none) return;
        const LockName lock = lock_at(one.object);
        if (lock.address != 0)
          release(*state_, lock);
        else
          release_region(*state_, lock.region);
      },
      [&](const api::LeaveThread& one) {
        if (one.indirect || one.several) anything();
        access(one.result, true, false);
      },
      [&](const api::UseCondition& one) {
        if (one.indirect) anything();
      },
      [&](const api::MakeMemory& one) {
        if (one.old != api::Effect::none) anything();
        access(one.into, true, false);
      },
      [&](const api::Touch& one) { touch(one); },
      [&](const api::TouchAtomic& one) {
        access(one.object, true, true);
        access(one.value, true, false);
        access(one.expected, true, false);
      },
      [&](const api::MovePointers& one) {
        access(one.to, true, false);
        access(one.from, false, false);
      },
      [&](const api::End& one) {
        if (one.of != api::End::Of::Thread && one.of != api::End::Of::Program && one.of != api::End::Of::Exit)
          anything();
        state_.reset();
      },
      api::Nothing<api::WaitAtBarrier, api::UseSemaphore, api::ReturnValue, api::Assume>{},
      // What they start or call is not followed.
      [&](const api::StartThread&) { anything(); }, [&](const api::RunLater&) { anything(); },
      [&](const api::RunOnce&) { anything(); }, [&](const api::UseThreadValue&) { anything(); },
      [&](const api::CallBack&) { anything(); }, [&](const api::MaskEntries&) { anything(); },
      [&](const api::DoUnsupported& one) {
        if (!is_ruled_out(one)) anything();
      });
}

/// Its constant arguments say that it is no call of that kind.
bool CodeEffects::LibraryCall::is_ruled_out(const api::DoUnsupported& what) const {
  const auto number = [&](api::Argument at) -> std::optional<std::int64_t> {
    const Operand operand = argument(at);
    if (!operand.is_constant()) return std::nullopt;
    const Constant& constant = walk_.all_.program_.constants[operand.as_constant()];
    return constant.kind == Constant::Kind::Null ? 0 : signed_number(walk_.all_.program_, constant);
  };
  if (what.argument != api::Effect::none && number(what.argument) == what.except) return true;
  if (what.entry != api::Effect::none && number(what.entry) == 0) return true;
  const auto flags = what.flags == api::Effect::none ? std::nullopt : number(what.flags);
  return flags && (*flags & what.bits) == 0;
}

LockName CodeEffects::LibraryCall::lock_at(api::Argument object) const {
  const Operand address = argument(object);
  const Variable variable = walk_.all_.variable_of(walk_.id_, address, 1);
  return {variable.bytes.address, variable.region};
}

void CodeEffects::LibraryCall::take(const api::TakeLock& take) {
  const bool is_sure = take.outcome.blocking && take.mode == api::LockMode::Exclusive;
  const auto is_section = [](const LockName& lock) { return lock.address == section_lock; };
  if (std::ranges::any_of(state_->acquired, is_section)) anything();  // a section that may have to wait
  switch (take.lock.kind) {
    case api::LockRef::Kind::Section: return acquire(*state_, {section_lock, any_region});
    case api::LockRef::Kind::Named: return;
    case api::LockRef::Kind::Object:
      if (const LockName lock = lock_at(take.lock.object); is_sure && lock.address != 0) acquire(*state_, lock);
  }
}

void CodeEffects::LibraryCall::give(const api::GiveLock& give) {
  switch (give.lock.kind) {
    case api::LockRef::Kind::Section: return release(*state_, {section_lock, any_region});
    case api::LockRef::Kind::Named: return;
    case api::LockRef::Kind::Object: {
      const LockName lock = lock_at(give.lock.object);
      if (lock.address != 0)
        release(*state_, lock);
      else
        release_region(*state_, lock.region);
    }
  }
}

void CodeEffects::LibraryCall::touch(const api::Touch& touch) {
  const bool writes = touch.mode != api::Touch::Mode::Read && touch.mode != api::Touch::Mode::Use;
  switch (touch.extent) {
    case api::Touch::Extent::Object: return access(touch.object, writes, false, touch.ends_memory());
    case api::Touch::Extent::Variadic: {
      if (touch.is_list) return touch_list(writes);
      const auto count = static_cast<api::Argument>(walk_.function_.arguments_of(code_).size());
      for (api::Argument i = std::max(touch.object, 0); i < count; ++i) access(i, writes, false);
      return;
    }
    case api::Touch::Extent::Reachable: return anything();
    case api::Touch::Extent::Hidden:
      if (writes) anything();
  }
}

/// The arguments of the calling function, as its callers passed them.
void CodeEffects::LibraryCall::touch_list(bool writes) {
  const auto passed = writes ? std::nullopt : walk_.all_.passed_to(walk_.id_);
  if (!passed) return anything();
  for (const auto& [caller, operand] : *passed) {
    SideAccess found;
    found.variable = walk_.all_.variable_of(caller, operand, 0);
    found.is_visible = walk_.all_.everything_is_visible_;
    found.key = key_of(walk_.id_, static_cast<std::uint32_t>(number_));
    walk_.add(state_, std::move(found));
  }
}

std::uint64_t CodeEffects::LibraryCall::size_of(const api::Length& bytes) const {
  switch (bytes.kind) {
    case api::Length::Kind::Constant: return static_cast<std::uint64_t>(std::max<std::int64_t>(bytes.value, 1));
    case api::Length::Kind::Type:
      return static_cast<std::uint64_t>(
          api::bytes_of(static_cast<api::LibraryType>(bytes.value), walk_.all_.program_.layout.pointer_bits));
    case api::Length::Kind::Unknown:
    case api::Length::Kind::Argument:
    case api::Length::Kind::Product:
    case api::Length::Kind::String:
    case api::Length::Kind::Words: return 1;
  }
  return 1;
}

/// An operation on a synchronisation object, which is an access to its bytes as well.
void CodeEffects::LibraryCall::use(const api::ObjectUse& use, bool takes) {
  const Operand address = argument(use.object);
  if (address.kind() == Operand::Kind::None || !state_) return;
  SideAccess found;
  found.variable = walk_.all_.variable_of(walk_.id_, address, size_of(use.bytes));
  found.is_write = found.is_object = true;
  found.is_atomic = found.is_visible = use.is_atomic;
  found.is_end = !use.is_atomic;
  found.takes = takes;
  found.key = key_of(walk_.id_, static_cast<std::uint32_t>(number_));
  walk_.add(state_, std::move(found));
}

void CodeEffects::LibraryCall::access(api::Argument object, bool writes, bool is_atomic, bool is_end) {
  const Operand address = argument(object);
  if (is_pointer(walk_.all_.program_, walk_.function_, address))
    walk_.access(state_, number_, address, {}, writes, is_atomic, is_end);
}

}  // namespace heddle::explore
