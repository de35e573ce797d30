// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/machine/externals.h"

#include <algorithm>

#include "api/action.h"
#include "api/object_size.h"
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
    case api::ReturnValue::What::Own:
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
      [](const api::Touch& touch) { return touch.ends_memory() ? Role::Carried : Role::Described; },
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

/// Any value may come out: the model says so.
bool returns_anything(const api::Effect& effect) {
  const auto value = api::get<api::ReturnValue>(effect);
  return value && value->what == api::ReturnValue::What::Anything;
}

bool returns_an_argument(const api::Effect& effect) {
  const auto value = api::get<api::ReturnValue>(effect);
  return value && value->what == api::ReturnValue::What::Argument;
}

bool only_reads(const api::Effect& effect) {
  const auto touch = api::get<api::Touch>(effect);
  return touch && touch->mode == api::Touch::Mode::Read && touch->extent == api::Touch::Extent::Object;
}

/// What a function does that nobody carries out. Its result, if it has one, is known to nobody: no value comes from
/// nowhere.
External::Kind kind_without_code(const api::Model& model, bool has_result) {
  if (model.effects.size() == 1 && returns_anything(model.effects[0])) return External::Kind::Nondet;
  return !has_result && std::ranges::all_of(model.effects, only_reads) ? External::Kind::Nothing
                                                                       : External::Kind::Unsupported;
}

External from_model(const api::Model* model, bool has_result) {
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
    for (const api::Effect& effect : model->effects)
      if (reads_fixed_bytes(effect)) out.touches.push_back(*api::get<api::Touch>(effect));
  } else if (model->effects.size() == 1 && returns_an_argument(model->effects[0])) {
    out.kind = External::Kind::Effect;
    out.action = api::action_of(model->effects[0]);
  } else {
    out.kind = kind_without_code(*model, has_result);
  }
  return out;
}

bool has_result(const Program& program, const Function& function) {
  return program.types[program.types[function.type].element].kind != TypeKind::Void;
}

/// Native code of these tables works on its arguments and on the calling thread alone. Whatever else there is (streams,
/// files, the environment) may take locks inside.
bool works_alone(std::string_view name) {
  for (const auto& table : {string_natives(), stdlib_natives(), math_natives(), number_natives(), thread_natives(),
                            intrinsic_natives(), cxx_string_natives(), cxx_container_natives()})
    if (std::ranges::any_of(table, [&](const NativeEntry& entry) { return fits(entry.name, name); })) return true;
  return false;
}

/// What the model says that native code touches. A length is an upper bound, so nothing follows from it but a doubt.
std::vector<api::Touch> touches_of(const api::Model& model) {
  std::vector<api::Touch> out;
  for (const api::Effect& effect : model.effects)
    if (const auto touch = api::get<api::Touch>(effect);
        touch && touch->extent == api::Touch::Extent::Object &&
        (touch->mode == api::Touch::Mode::Read || touch->mode == api::Touch::Mode::Write))
      out.push_back(*touch);
  return out;
}

/// The synchronisation objects of which the model says how large they are.
std::vector<External::Object> objects_of(const api::Action& action, std::uint32_t pointer_bits) {
  std::vector<External::Object> out;
  for (const api::ObjectUse& use : api::object_uses(action)) {
    if (use.bytes.kind != api::Length::Kind::Type) continue;
    const auto type = static_cast<api::LibraryType>(use.bytes.value);
    out.push_back({use.object, static_cast<std::uint32_t>(api::bytes_of(type, pointer_bits))});
  }
  return out;
}

}  // namespace

bool reads_fixed_bytes(const api::Effect& effect) {
  const auto touch = api::get<api::Touch>(effect);
  return touch && touch->mode == api::Touch::Mode::Read && touch->extent == api::Touch::Extent::Object &&
         (touch->length.kind == api::Length::Kind::Constant || touch->length.kind == api::Length::Kind::Words);
}

void classify_externals(Image& image, const api::ApiModels& models, LibraryState& library) {
  const Program& program = image.program;
  image.is_closed = models.is_closed(program);
  image.externals.resize(program.functions.size());
  for (std::size_t f = 0; f < image.externals.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    if (function.has_body()) continue;
    External& external = image.externals[f] = from_model(models.find(function.name), has_result(program, function));
    external.objects = objects_of(external.action, program.layout.pointer_bits);
    const auto* value = std::get_if<api::ReturnValue>(&external.action);
    if (external.kind == External::Kind::Effect && value != nullptr && value->what == api::ReturnValue::What::Hidden) {
      external.key = static_cast<std::uint32_t>(library.key_destructors.size());
      library.key_destructors.push_back(0);
    }
    if (const Native native = find_native(function.name); native != nullptr) {
      external.kind = External::Kind::Native;
      external.native = native;
      if (external.model != nullptr) external.touches = touches_of(*external.model);
      external.may_synchronise =
          !works_alone(function.name) && !std::holds_alternative<api::MakeMemory>(external.action);
    }
  }
}

}  // namespace heddle::interpret
