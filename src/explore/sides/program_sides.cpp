// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/sides/program_sides.h"

#include <algorithm>

#include "explore/sides/access_key.h"
#include "program/model/function_queries.h"

namespace heddle::explore {
namespace {

/// The action works on synchronisation objects and threads only: where it goes is told by its arguments.
bool is_synchronisation(const api::Effect& effect) {
  return api::treat(
      api::action_of(effect),
      api::Always<true, api::TakeLock, api::GiveLock, api::SetUpObject, api::StartThread, api::LeaveThread,
                  api::UseCondition, api::WaitAtBarrier, api::UseSemaphore, api::MakeMemory, api::End, api::Assume>{},
      api::Always<false, api::RunLater, api::RunOnce, api::UseThreadValue, api::Touch, api::TouchAtomic,
                  api::MovePointers, api::ReturnValue, api::CallBack, api::MaskEntries, api::DoUnsupported>{});
}

/// Whatever it touches, an argument leads there.
bool follows_arguments(const api::Effect& effect) {
  return is_synchronisation(effect) ||
         api::treat(
             api::action_of(effect),
             [](const api::Touch& touch) {
               return touch.extent == api::Touch::Extent::Object ||
                      (touch.extent == api::Touch::Extent::Variadic && !touch.is_list);
             },
             api::Always<true, api::MovePointers, api::ReturnValue>{},
             api::Always<false, api::TakeLock, api::GiveLock, api::SetUpObject, api::StartThread, api::LeaveThread,
                         api::UseCondition, api::WaitAtBarrier, api::UseSemaphore, api::MakeMemory, api::End,
                         api::Assume, api::RunLater, api::RunOnce, api::UseThreadValue, api::TouchAtomic, api::CallBack,
                         api::MaskEntries, api::DoUnsupported>{});
}

/// What the library does then, it does with memory of its own.
bool only_ends(const api::Model& model) {
  const auto is_end = [](const api::Effect& effect) { return api::get<api::End>(effect).has_value(); };
  return !model.effects.empty() && std::ranges::all_of(model.effects, is_end);
}

bool is_section(const api::Effect& effect) {
  const auto take = api::get<api::TakeLock>(effect);
  return take && take->lock.kind == api::LockRef::Kind::Section;
}

/// Accesses inside of atomic sections are visible.
bool has_sections(const Program& program, const api::ApiModels& models) {
  return std::ranges::any_of(program.functions, [&](const Function& function) {
    if (function.has_body()) return models.is_atomic_function(function.name);
    const api::Model* model = models.find(function.name);
    return model != nullptr && std::ranges::any_of(model->effects, is_section);
  });
}

/// The operands of an instruction that say which bytes it accesses.
std::vector<Operand> address_operands(const Function& function, const Instruction& code) {
  const auto operands = function.operands_of(code);
  switch (code.opcode) {
    case Opcode::Load:
    case Opcode::CmpXchg:
    case Opcode::AtomicRmw:
    case Opcode::VaArg: return {operands[0]};
    case Opcode::Store: return {operands[1]};
    case Opcode::MemCopy: return {operands[0], operands[1], operands[2]};
    case Opcode::MemSet: return {operands[0], operands[2]};
    case Opcode::Call:
    case Opcode::Invoke: {
      const auto arguments = function.arguments_of(code);
      return {arguments.begin(), arguments.end()};
    }
    default: return {};
  }
}

bool is_null(const Program& program, Operand operand) {
  return operand.is_constant() && program.constants[operand.as_constant()].kind == Constant::Kind::Null;
}

}  // namespace

ProgramSides::ProgramSides(const Program& program, const api::ApiModels& models, CodeEffects::AddressOf address_of,
                           CodeEffects::Knowledge knowledge, bool at_accesses)
    : program_(program),
      models_(models),
      effects_(program, models, std::move(address_of), std::move(knowledge),
               at_accesses || has_sections(program, models)),
      origins_(program, effects_.places(), effects_.only_entry()) {
  look_for_obstacles();
}

void ProgramSides::look_for_obstacles() {
  if (!program_.destructors.empty()) obstacle_ = "functions run at the end of the program";
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const Function& function = program_.functions[FunctionId(i)];
    if (function.has_body())
      look_at(function);
    else if (const api::Model* model = models_.find(function.name))
      look_at(*model);
  }
  if (joins_ && detaches_) obstacle_ = "threads are joined and detached";
}

void ProgramSides::look_at(const api::Model& model) {
  for (const api::Effect& effect : model.effects) {
    if (api::get<api::RunOnce>(effect)) obstacle_ = "a function runs once, in whichever thread comes first";
    const auto leave = api::get<api::LeaveThread>(effect);
    if (!leave) continue;
    if (!leave->outcome.blocking) obstacle_ = "a thread is joined if it has ended";
    (leave->how == api::LeaveThread::How::Join ? joins_ : detaches_) = true;
  }
}

bool ProgramSides::starts_unknown(const Function& function, const Instruction& call) const {
  const Operand callee = function.operands_of(call)[0];
  if (!callee.is_function() || program_.functions[callee.as_function()].has_body()) return false;
  const api::Model* model = models_.find(program_.functions[callee.as_function()].name);
  if (model == nullptr) return false;
  const auto arguments = function.arguments_of(call);
  return std::ranges::any_of(model->effects, [&](const api::Effect& effect) {
    const auto start = api::get<api::StartThread>(effect);
    if (!start) return false;
    const auto entry = static_cast<std::size_t>(start->entry);
    return start->entry_slot != api::Effect::none || start->several || entry >= arguments.size() ||
           !arguments[entry].is_function();
  });
}

void ProgramSides::look_at(const Function& function) {
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    const Instruction& code = function.instructions[i];
    if (!code.is_call()) continue;
    if (starts_unknown(function, code)) obstacle_ = "a thread of which it is not known where it begins";
  }
}

void ProgramSides::note(Side& side, const std::string& unknown) {
  if (unknown.empty()) return;
  if (!side.may_do_anything) ++unknown_[unknown];
  side.may_do_anything = true;
}

const Side* ProgramSides::side(FunctionId function, BlockId block, BlockId taken) {
  const Function& code = program_.functions[function];
  const std::uint32_t last = code.blocks[block.index()].first + code.blocks[block.index()].count - 1;
  const auto key = std::pair(key_of(function, last), taken.index());
  if (const auto known = sides_.find(key); known != sides_.end()) return &known->second;
  std::vector<BlockId> others = code.successors(block);
  std::erase(others, taken);
  std::ranges::sort(others);
  others.erase(std::ranges::unique(others).begin(), others.end());
  if (others.empty()) return nullptr;
  Side side;
  side.branch = key.first;
  side.condition = origins_.of(function, code.operands_of(code.instructions[last])[0]);
  const BlockId meeting = effects_.meeting_of(function, block);
  for (const BlockId other : others) {
    if (other == meeting) {
      side.ends.emplace_back();
      continue;
    }
    Effects effects = effects_.of_blocks(function, other, meeting);
    note(side, effects.unknown);
    if (effects.end) side.ends.push_back(std::move(*effects.end));
    std::ranges::move(effects.accesses, std::back_inserter(side.accesses));
  }
  return &sides_.emplace(key, std::move(side)).first->second;
}

const Side* ProgramSides::side(FunctionId caller, std::uint32_t call, FunctionId taken) {
  const Function& code = program_.functions[caller];
  const Operand callee = code.operands_of(code.instructions[call])[0];
  if (!code.instructions[call].is_call() || !callee.is_value()) return nullptr;
  const auto key = std::pair(key_of(caller, call), taken.index());
  if (const auto known = sides_.find(key); known != sides_.end()) return &known->second;
  Side side;
  side.branch = key.first;
  side.condition = origins_.of(caller, callee);
  if (effects_.targets(caller, call).empty()) note(side, "a call through a pointer");
  for (const FunctionId target : effects_.targets(caller, call)) {
    if (target == taken) continue;
    if (!program_.functions[target].has_body()) {
      note(side, "a call through a pointer of " + std::string(program_.functions[target].name));
      continue;
    }
    const Effects& effects = effects_.of_function(target);
    note(side, effects.unknown);
    if (effects.end) side.ends.push_back(*effects.end);
    side.accesses.insert(side.accesses.end(), effects.accesses.begin(), effects.accesses.end());
  }
  return &sides_.emplace(key, std::move(side)).first->second;
}

const Instruction* ProgramSides::instruction_at(AccessKey key) const {
  const auto place = place_of(key);
  if (!place || place->first.index() >= program_.functions.size()) return nullptr;
  const Function& function = program_.functions[place->first];
  return place->second < function.instructions.size() ? &function.instructions[place->second] : nullptr;
}

const api::Model* ProgramSides::model_at(AccessKey key) const {
  const Instruction* code = instruction_at(key);
  if (code == nullptr || !code->is_call()) return nullptr;
  const Operand callee = program_.functions[place_of(key)->first].operands_of(*code)[0];
  const bool is_library = callee.is_function() && !program_.functions[callee.as_function()].has_body();
  return is_library ? models_.find(program_.functions[callee.as_function()].name) : nullptr;
}

const Origin& ProgramSides::origin_of(AccessKey key) {
  const auto [at, is_new] = origin_of_.try_emplace(key);
  if (is_new) at->second = find_origin(key);
  return at->second;
}

Origin ProgramSides::find_origin(AccessKey key) const {
  Origin everything;
  everything.everything = true;
  const Instruction* code = instruction_at(key);
  if (code == nullptr) return everything;
  const auto [function, number] = *place_of(key);
  if (code->opcode == Opcode::Return) {  // the end of local variables
    Origin path;
    path.path = true;
    return path;
  }
  const std::vector<Operand> operands = address_operands(program_.functions[function], *code);
  if (operands.empty()) return everything;
  if (code->is_call()) {
    const api::Model* model = model_at(key);
    if (model == nullptr || !std::ranges::all_of(model->effects, is_synchronisation)) return everything;
  }
  return origins_.of(function, operands);
}

const std::vector<Region>& ProgramSides::regions_of(AccessKey key) {
  const auto [at, is_new] = regions_of_.try_emplace(key);
  if (is_new) at->second = find_regions(key);
  return at->second;
}

std::vector<Region> ProgramSides::written_regions_of(AccessKey key) {
  const api::Model* model = model_at(key);
  if (model == nullptr) return regions_of(key);
  const auto [id, number] = *place_of(key);
  const auto arguments = program_.functions[id].arguments_of(program_.functions[id].instructions[number]);
  std::vector<Region> regions;
  for (const api::Effect& effect : model->effects) {
    const auto touch = api::get<api::Touch>(effect);
    if (touch && touch->mode == api::Touch::Mode::Read) continue;
    const bool is_clear = touch && touch->extent == api::Touch::Extent::Object && touch->object >= 0 &&
                          static_cast<std::size_t>(touch->object) < arguments.size();
    if (!is_clear) return regions_of(key);
    const Operand address = arguments[static_cast<std::size_t>(touch->object)];
    if (!effects_.own_memory().holds(id, address)) regions.push_back(effects_.region_of(id, address));
  }
  std::ranges::sort(regions);
  regions.erase(std::ranges::unique(regions).begin(), regions.end());
  return regions;
}

std::vector<Region> ProgramSides::find_regions(AccessKey key) const {
  const Instruction* code = instruction_at(key);
  if (code == nullptr) return {any_region};
  const auto [id, number] = *place_of(key);
  const Function& function = program_.functions[id];
  std::vector<Region> regions;
  bool is_own = false;
  const auto add = [&](Operand address) {
    if (effects_.own_memory().holds(id, address))
      is_own = true;
    else
      regions.push_back(effects_.region_of(id, address));
  };
  switch (code->opcode) {
    case Opcode::Load:
    case Opcode::CmpXchg:
    case Opcode::AtomicRmw:
    case Opcode::VaArg:
    case Opcode::MemSet: add(function.operands_of(*code)[0]); break;
    case Opcode::Store: add(function.operands_of(*code)[1]); break;
    case Opcode::MemCopy:
      add(function.operands_of(*code)[0]);
      add(function.operands_of(*code)[1]);
      break;
    case Opcode::Call:
    case Opcode::Invoke: {
      const api::Model* model = model_at(key);
      if (model == nullptr || !std::ranges::all_of(model->effects, follows_arguments)) return {any_region};
      if (only_ends(*model)) return {};
      for (const Operand argument : function.arguments_of(*code))
        if (is_pointer(program_, function, argument)) add(argument);
      break;
    }
    case Opcode::Return:  // the end of local variables
      for (std::size_t i = 0; i < function.instructions.size(); ++i)
        if (function.instructions[i].opcode == Opcode::Alloca) add(Operand::value(function.result_of(i)));
      for (const ByValue& argument : function.byval) add(Operand::value(ValueId(argument.index)));
      break;
    default: return {any_region};
  }
  std::ranges::sort(regions);
  regions.erase(std::ranges::unique(regions).begin(), regions.end());
  if (regions.empty() && !is_own) regions.push_back(any_region);
  return regions;
}

bool ProgramSides::is_answer(AccessKey key) const {
  const api::Model* model = model_at(key);
  if (model == nullptr) return false;
  const auto arguments = program_.functions[place_of(key)->first].arguments_of(*instruction_at(key));
  return std::ranges::any_of(model->effects, [&](const api::Effect& effect) {
    return api::treat(
        api::action_of(effect), [](const api::TakeLock& take) { return !take.outcome.blocking; },
        [](const api::UseSemaphore& use) { return !use.outcome.blocking; },
        [](const api::UseCondition& use) { return use.step == api::UseCondition::Step::Wait && !use.outcome.blocking; },
        [&](const api::LeaveThread& leave) {
          const auto result = static_cast<std::size_t>(leave.result);
          return leave.result != api::Effect::none && result < arguments.size() &&
                 !is_null(program_, arguments[result]);
        },
        api::Always<false, api::GiveLock, api::SetUpObject, api::StartThread, api::RunLater, api::WaitAtBarrier,
                    api::MakeMemory, api::Touch, api::TouchAtomic, api::MovePointers, api::End, api::Assume,
                    api::MaskEntries>{},
        api::Always<true, api::RunOnce, api::UseThreadValue, api::ReturnValue, api::CallBack, api::DoUnsupported>{});
  });
}

}  // namespace heddle::explore
