// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/own_objects.h"

#include <algorithm>
#include <variant>

namespace heddle::scan {
namespace {

/// Whether a model says which memory the result leads to: an argument's, or some that is made there.
bool names_result(const api::Model& model) {
  return std::ranges::any_of(model.effects, [](const api::Effect& effect) {
    if (const auto made = api::get<api::MakeMemory>(effect)) return made->into == api::Effect::none;
    const auto value = api::get<api::ReturnValue>(effect);
    if (!value) return false;
    switch (value->what) {
      case api::ReturnValue::What::Argument:
      case api::ReturnValue::What::Own:
      case api::ReturnValue::What::Into:
      case api::ReturnValue::What::Reachable: return true;
      case api::ReturnValue::What::Hidden:
      case api::ReturnValue::What::ThisThread:
      case api::ReturnValue::What::Anything: return false;
    }
    return false;
  });
}

/// Whether the pointers that it leaves in memory are those that it finds elsewhere.
bool moves_pointers(const api::Model& model) {
  return std::ranges::any_of(model.effects,
                             [](const api::Effect& effect) { return api::get<api::MovePointers>(effect).has_value(); });
}

}  // namespace

OwnObjects::OwnObjects(const Program& program, const std::vector<const api::Model*>& models,
                       const alias::AliasFacts& aliases, const CallTargets& targets, const Assumptions& assumptions,
                       const std::vector<FunctionId>& entries)
    : program_(program),
      models_(models),
      aliases_(aliases),
      targets_(targets),
      assumptions_(assumptions),
      made_(aliases.object_count()),
      known_(aliases.object_count()),
      content_known_(aliases.class_count()) {
  read_globals();
  for (const FunctionId entry : entries) make_parameters_known(entry, 0);
  for (std::size_t i = 0; i < program.functions.size(); ++i) read_function(FunctionId(i));
  for (const auto& [name, place] : aliases.hidden()) make_known(place);
  follow();
}

bool OwnObjects::has(alias::Place place) const {
  place = aliases_.canonical(place);
  return place.valid() && made_[place.object.index()] && !known_[place.object.index()];
}

bool OwnObjects::has(const alias::AliasFacts::GivenPlaces& given) const {
  const auto is_known = [&](alias::Place place) { return place.valid() && known_[place.object.index()]; };
  return !given.arguments.empty() && std::ranges::all_of(given.arguments, [&](alias::Place place) { return has(place); }) &&
         std::ranges::none_of(given.parameters, is_known);
}

/// A thread-local one is another one in each thread: known if its address is told to somebody.
void OwnObjects::read_globals() {
  for (std::size_t i = 0; i < program_.globals.size(); ++i)
    if (!program_.globals[GlobalId(i)].is_thread_local) make_known(aliases_.place({}, Operand::global(GlobalId(i))));
}

void OwnObjects::read_function(FunctionId id) {
  const Function& function = program_.functions[id];
  for (std::size_t i = 0; i < function.instructions.size(); ++i) switch (function.instructions[i].opcode) {
      case Opcode::Alloca: note_made(result(id, i)); break;
      case Opcode::LandingPad:
      case Opcode::Resume: make_operands_known(id, i); break;
      // Perhaps the address of a device.
      case Opcode::Cast:
        if (function.instructions[i].cast_op() == CastOp::IntToPtr) make_operands_known(id, i);
        break;
      case Opcode::Call:
      case Opcode::Invoke: read_call(id, i); break;
      default: break;
    }
  read_unseen_targets(id);
}

void OwnObjects::read_call(FunctionId id, std::size_t call) {
  const Function& function = program_.functions[id];
  const auto operands = function.operands_of(function.instructions[call]);
  if (operands.empty()) return;
  if (operands[0].is_function()) return read_library(id, call, operands[0].as_function());
  const auto targets = aliases_.targets(id, call);
  if (operands[0].kind() == Operand::Kind::Asm || targets.empty()) return make_operands_known(id, call);
  for (const FunctionId target : targets) read_library(id, call, target);
}

/// Whom the call graph leads to and the alias classes do not: what is passed there is not united with the parameters.
void OwnObjects::read_unseen_targets(FunctionId id) {
  for (const CallTargets::Indirect& row : targets_.indirect(id)) {
    const auto seen = aliases_.targets(id, row.instruction);
    for (const FunctionId target : row.targets) {
      if (std::ranges::binary_search(seen, target)) continue;
      make_operands_known(id, row.instruction);
      make_parameters_known(target, 0);
    }
    if (row.is_cut) make_operands_known(id, row.instruction);
  }
}

void OwnObjects::read_library(FunctionId id, std::size_t call, FunctionId callee) {
  const bool has_body = program_.functions[callee].has_body();
  const api::Model* model = models_[callee.index()];
  if (model == nullptr) {
    if (aliases_.allocator(callee).makes) read_new(result(id, call));
    if (!has_body && !program_.functions[callee].is_intrinsic) make_operands_known(id, call);
    return;
  }
  if (!has_body && !names_result(*model)) make_known(result(id, call));
  const bool moves = moves_pointers(*model);
  for (const api::Effect& effect : model->effects) {
    const api::Action action = api::action_of(effect);
    const auto* touch = std::get_if<api::Touch>(&action);
    if (!moves || touch == nullptr) read_action(id, call, action);
  }
}

void OwnObjects::read_action(FunctionId id, std::size_t call, const api::Action& action) {
  const auto hands_on = [&] {
    make_arguments_known(id, call, api::Effect::none, api::Effect::none);
    make_callbacks_known(id, call, 0);
  };
  api::treat(
      action,
      [&](const api::StartThread& start) {
        make_arguments_known(id, call, start.handle, start.attributes);
        make_callbacks_known(id, call, 0);
      },
      [&](const api::RunLater&) { hands_on(); }, [&](const api::RunOnce&) { hands_on(); },
      [&](const api::UseThreadValue&) { hands_on(); }, [&](const api::DoUnsupported&) { hands_on(); },
      [&](const api::MakeMemory& made) { read_made(id, call, made); },
      [&](const api::Touch& touch) { read_touch(id, call, touch); },
      [&](const api::End& end) {
        if (end.of == api::End::Of::Frame) hands_on();
      },
      [&](const api::CallBack& back) {
        constexpr std::size_t united = 3;  // parameters that AliasFacts unites with the arguments
        if (!back.global.empty() || back.ends_exception) return hands_on();
        make_callbacks_known(id, call, united);
      },
      api::Nothing<api::TakeLock, api::GiveLock, api::SetUpObject, api::LeaveThread, api::UseCondition,
                   api::WaitAtBarrier, api::UseSemaphore, api::TouchAtomic, api::MovePointers, api::ReturnValue,
                   api::Assume, api::MaskEntries>{});
}

/// What comes from outside may be any address, if addresses are what lies there.
void OwnObjects::read_touch(FunctionId id, std::size_t call, const api::Touch& touch) {
  if (touch.mode != api::Touch::Mode::Write || touch.fill != api::Effect::none) return;
  const Function& function = program_.functions[id];
  const auto count = static_cast<api::Argument>(function.arguments_of(function.instructions[call]).size());
  switch (touch.extent) {
    case api::Touch::Extent::Object: return make_content_known(argument(id, call, touch.object));
    case api::Touch::Extent::Variadic:
      for (api::Argument i = touch.object; i < count; ++i) make_content_known(argument(id, call, i));
      return;
    case api::Touch::Extent::Reachable:  // pointers of the arguments, which are one class
    case api::Touch::Extent::Hidden: return;
  }
}

void OwnObjects::read_made(FunctionId id, std::size_t call, const api::MakeMemory& made) {
  read_new(made.into == api::Effect::none ? result(id, call) : aliases_.content(argument(id, call, made.into)));
}

void OwnObjects::read_new(alias::Place place) {
  if (assumptions_.private_until_stored)
    note_made(place);
  else
    make_known(place);
}

void OwnObjects::note_made(alias::Place place) {
  place = aliases_.canonical(place);
  if (place.valid()) made_[place.object.index()] = true;
}

void OwnObjects::make_known(alias::Place place) {
  place = aliases_.canonical(place);
  if (!place.valid()) return;
  known_[place.object.index()] = true;
  make_content_known(place);
}

void OwnObjects::make_content_known(alias::Place place) {
  place = aliases_.canonical(place);
  if (!place.valid() || content_known_[place.cls.index()]) return;
  content_known_[place.cls.index()] = true;
  pending_.push_back(place);
}

void OwnObjects::make_operands_known(FunctionId id, std::size_t instruction) {
  const Function& function = program_.functions[id];
  make_known(result(id, instruction));
  for (const Operand operand : function.operands_of(function.instructions[instruction]))
    if (operand.is_value()) make_known(aliases_.place(id, operand));
}

void OwnObjects::make_arguments_known(FunctionId id, std::size_t call, api::Argument but, api::Argument nor) {
  const Function& function = program_.functions[id];
  const auto count = static_cast<api::Argument>(function.arguments_of(function.instructions[call]).size());
  make_known(result(id, call));
  for (api::Argument i = 0; i < count; ++i)
    if (i != but && i != nor) make_known(argument(id, call, i));
}

/// Of what the library calls: the parameters from `first` on.
void OwnObjects::make_callbacks_known(FunctionId id, std::size_t call, std::size_t first) {
  for (const FunctionId target : aliases_.targets(id, call)) make_parameters_known(target, first);
}

void OwnObjects::make_parameters_known(FunctionId id, std::size_t first) {
  for (std::size_t i = first; i < program_.functions[id].parameters.size(); ++i)
    make_known(aliases_.place(id, Operand::value(ValueId(i))));
}

alias::Place OwnObjects::argument(FunctionId id, std::size_t call, api::Argument number) const {
  const Function& function = program_.functions[id];
  const auto arguments = function.arguments_of(function.instructions[call]);
  if (number < 0 || static_cast<std::size_t>(number) >= arguments.size()) return {};
  return aliases_.place(id, arguments[static_cast<std::size_t>(number)]);
}

alias::Place OwnObjects::result(FunctionId id, std::size_t instruction) const {
  return aliases_.place(id, Operand::value(program_.functions[id].result_of(instruction)));
}

void OwnObjects::follow() {
  while (!pending_.empty()) {
    const alias::Place place = pending_.back();
    pending_.pop_back();
    for (const alias::Place target : aliases_.contents(place)) make_known(target);
  }
}

}  // namespace heddle::scan
