// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_model/pointed_memory.h"

#include <algorithm>

#include "api/action.h"
#include "program/model/function_queries.h"

namespace heddle::judge::transaction {

namespace {

using alias::PointedObject;

/// A way leads from the block back to it.
bool is_in_cycle(const Function& f, BlockId block) {
  std::vector<bool> seen(f.blocks.size());
  std::vector<BlockId> work = f.successors(block);
  while (!work.empty()) {
    const BlockId at = work.back();
    work.pop_back();
    if (at == block) return true;
    if (seen[at.index()]) continue;
    seen[at.index()] = true;
    for (const BlockId next : f.successors(at)) work.push_back(next);
  }
  return false;
}

/// Where a function is named: once, as what is called or started, or otherwise.
struct Uses {
  std::size_t count = 0;
  FunctionId caller;  ///< of the only one
  BlockId block;
};

}  // namespace

PointedMemory::PointedMemory(const Program& program, const api::ApiModels& models, FunctionId main,
                             bool declared_arrays)
    : program_(program), points_(program, models, declared_arrays), runs_once_(program.functions.size()) {
  find_functions_that_run_once(main, models);
  for (ObjectIndex k = 0; k < points_.object_count(); ++k) single_.push_back(find_single(points_.object(k)));
}

void PointedMemory::find_functions_that_run_once(FunctionId main, const api::ApiModels& models) {
  std::vector<Uses> uses(program_.functions.size());
  constexpr std::size_t often = 2;
  const auto is_named_otherwise = [&](Operand operand) {
    if (operand.is_function()) uses[operand.as_function().index()].count += often;
  };
  for (const Global& global : program_.globals)
    for (const Relocation& word : global.relocations) is_named_otherwise(word.target);
  for (const Constant& constant : program_.constants)
    for (const Operand element : constant.elements) is_named_otherwise(element);
  const auto is_entry = [&](const Function& f, const Instruction& call, std::size_t operand) {
    const Operand callee = f.operands_of(call)[0];
    const api::Model* model =
        callee.is_function() ? models.find(program_.functions[callee.as_function()].name) : nullptr;
    return model != nullptr && std::ranges::any_of(model->effects, [&](const api::Effect& effect) {
             const auto start = api::get<api::StartThread>(effect);
             return start && static_cast<std::size_t>(start->entry) + 1 == operand;
           });
  };
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const Function& f = program_.functions[FunctionId(i)];
    for (std::size_t at = 0; at < f.instructions.size(); ++at) {
      const Instruction& code = f.instructions[at];
      const auto operands = f.operands_of(code);
      for (std::size_t k = 0; k < operands.size(); ++k) {
        if (!operands[k].is_function()) continue;
        const bool runs_it = code.is_call() && (k == 0 || is_entry(f, code, k));
        Uses& use = uses[operands[k].as_function().index()];
        use.count += runs_it ? 1 : often;
        use.caller = FunctionId(i);
        use.block = block_of(f, at);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      if (runs_once_[i]) continue;
      const Uses& use = uses[i];
      const bool is_main = FunctionId(i) == main && use.count == 0;
      const bool is_once = use.count == 1 && FunctionId(i) != main && runs_once_[use.caller.index()] &&
                           !is_in_cycle(program_.functions[use.caller], use.block);
      runs_once_[i] = is_main || is_once;
      changed = changed || runs_once_[i];
    }
  }
}

bool PointedMemory::find_single(const PointedObject& object) const {
  switch (object.kind) {
    case PointedObject::Kind::Global: {
      const Global& global = program_.globals[object.global];
      return !global.is_declaration() && !global.is_thread_local && global.linkage != Linkage::Weak;
    }
    case PointedObject::Kind::Local:
    case PointedObject::Kind::Made: {
      const Function& f = program_.functions[object.function];
      return runs_once_[object.function.index()] && !is_in_cycle(f, block_of(f, object.instruction));
    }
    case PointedObject::Kind::Function:
    case PointedObject::Kind::Passed:
    case PointedObject::Kind::Library:
    case PointedObject::Kind::Unknown: return false;
  }
  return false;
}

std::optional<ObjectIndex> PointedMemory::of(GlobalId global) const {
  const ObjectIndex* known = points_.find({PointedObject::Kind::Global, global, {}, 0});
  return known == nullptr ? std::nullopt : std::optional(*known);
}

std::optional<ObjectIndex> PointedMemory::of(FunctionId function, std::uint32_t alloca) const {
  const ObjectIndex* known = points_.find({PointedObject::Kind::Local, {}, function, alloca});
  return known == nullptr ? std::nullopt : std::optional(*known);
}

std::uint64_t PointedMemory::size(ObjectIndex index) const {
  const PointedObject& object = points_.object(index);
  return object.kind == PointedObject::Kind::Global ? program_.globals[object.global].size : 0;
}

std::string PointedMemory::name(ObjectIndex index) const {
  const PointedObject& object = points_.object(index);
  switch (object.kind) {
    case PointedObject::Kind::Global: return std::string(program_.globals[object.global].shown_name());
    case PointedObject::Kind::Local: {
      const Function& f = program_.functions[object.function];
      for (const ValueName& named : f.names)
        if (named.names_memory && named.value == f.result_of(object.instruction)) return std::string(named.name);
      return "a local of " + std::string(f.shown_name());
    }
    case PointedObject::Kind::Made:
      return "what " + std::string(program_.functions[object.function].shown_name()) + " made";
    case PointedObject::Kind::Function:
    case PointedObject::Kind::Passed:
    case PointedObject::Kind::Library:
    case PointedObject::Kind::Unknown: return "memory";
  }
  return "memory";
}

}  // namespace heddle::judge::transaction
