// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/machine/externals.h"

#include <algorithm>

#include "api/action.h"
#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

/// What the machine can do with one action of a model.
enum class Role : std::uint8_t {
  Carried,    ///< it is carried out
  Described,  ///< native code does it, or nobody
  Refused,    ///< a function that does it is not executed
};

Role role_of(api::LockRef::Kind lock) {
  switch (lock) {
    case api::LockRef::Kind::Object:
    case api::LockRef::Kind::Section: return Role::Carried;
    case api::LockRef::Kind::Named: return Role::Refused;
  }
  return Role::Refused;
}

Role role_of(const api::ReturnValue& value) {
  switch (value.what) {
    case api::ReturnValue::What::Hidden: return value.holds_key ? Role::Carried : Role::Described;
    case api::ReturnValue::What::ThisThread: return Role::Carried;
    case api::ReturnValue::What::Argument:
    case api::ReturnValue::What::Into:
    case api::ReturnValue::What::Reachable:
    case api::ReturnValue::What::Anything: return Role::Described;
  }
  return Role::Described;
}

Role role_of(const api::Effect& effect) {
  return api::treat(
      api::action_of(effect), [](const api::TakeLock& take) { return role_of(take.lock.kind); },
      [](const api::GiveLock& give) { return role_of(give.lock.kind); },
      [](const api::RunLater& later) {
        const bool is_refused =
            later.when == api::RunLater::When::Outside || later.when == api::RunLater::When::ExceptionEnd;
        return is_refused ? Role::Refused : Role::Carried;
      },
      [](const api::Touch& touch) { return touch.mode == api::Touch::Mode::Free ? Role::Carried : Role::Described; },
      [](const api::ReturnValue& value) { return role_of(value); },
      [](const api::CallBack& back) { return back.global.empty() ? Role::Described : Role::Carried; },
      [](const api::End& end) {
        return end.of == api::End::Of::Frame || end.may_return ? Role::Described : Role::Carried;
      },
      api::Always<Role::Carried, api::SetUpObject, api::StartThread, api::LeaveThread, api::UseCondition,
                  api::WaitAtBarrier, api::UseSemaphore, api::RunOnce, api::UseThreadValue, api::MakeMemory,
                  api::TouchAtomic, api::Assume>{},
      api::Always<Role::Described, api::MovePointers>{},
      api::Always<Role::Refused, api::MaskEntries, api::DoUnsupported>{});
}

/// Whether a call that nobody carries out can only be told by what it returns.
bool only_returns_data(const api::Model& model) {
  return std::ranges::all_of(model.effects, [](const api::Effect& effect) {
    if (const auto value = api::get<api::ReturnValue>(effect)) return value->what == api::ReturnValue::What::Anything;
    const auto touch = api::get<api::Touch>(effect);
    if (!touch || touch->mode != api::Touch::Mode::Read) return false;
    return touch->extent == api::Touch::Extent::Object || touch->extent == api::Touch::Extent::Hidden;
  });
}

bool returns_an_argument(const api::Effect& effect) {
  const auto value = api::get<api::ReturnValue>(effect);
  return value && value->what == api::ReturnValue::What::Argument;
}

External from_model(const api::Model* model) {
  External out;
  out.model = model;
  if (model == nullptr) return out;
  const auto is_refused = [](const api::Effect& e) { return role_of(e) == Role::Refused; };
  const auto is_carried = [](const api::Effect& e) { return role_of(e) == Role::Carried; };
  if (std::ranges::any_of(model->effects, is_refused)) {
    out.kind = External::Kind::Unsupported;
    return out;
  }
  const auto it = std::ranges::find_if(model->effects, is_carried);
  if (it != model->effects.end()) {
    out.kind = External::Kind::Effect;
    out.action = api::action_of(*it);
  } else if (model->effects.size() == 1 && returns_an_argument(model->effects[0])) {
    out.kind = External::Kind::Effect;
    out.action = api::action_of(model->effects[0]);
  } else {
    out.kind = only_returns_data(*model) ? External::Kind::Nondet : External::Kind::Unsupported;
  }
  return out;
}

}  // namespace

void classify_externals(Image& image, const api::ApiModels& models, LibraryState& library) {
  const Program& program = image.program;
  image.externals.resize(program.functions.size());
  for (std::size_t f = 0; f < image.externals.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    if (models.marks_closed_program(function.name)) image.is_closed = true;
    if (function.has_body()) continue;
    External& external = image.externals[f] = from_model(models.find(function.name));
    const auto* value = std::get_if<api::ReturnValue>(&external.action);
    if (external.kind == External::Kind::Effect && value != nullptr && value->what == api::ReturnValue::What::Hidden) {
      external.key = static_cast<std::uint32_t>(library.key_destructors.size());
      library.key_destructors.push_back(0);
    }
    if (const Native native = find_native(function.name); native != nullptr) {
      external.kind = External::Kind::Native;
      external.native = native;
    }
  }
}

}  // namespace heddle::interpret
