// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_model/pointed_memory.h"

#include <algorithm>

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

}  // namespace

PointedMemory::PointedMemory(const Program& program, const api::ApiModels& models, FunctionId main,
                             bool declared_arrays)
    : program_(program), points_(program, models, {.declared_arrays = declared_arrays, .main = main}) {
  find_what_runs_once();
  for (ObjectIndex k = 0; k < points_.object_count(); ++k) single_.push_back(find_single(points_.object(k)));
}

/// A call in a context of its own is made by one instruction of one other such call. Those come later in the table.
void PointedMemory::find_what_runs_once() {
  for (std::size_t k = 0; k < points_.context_count(); ++k) {
    const alias::CallContext& context = points_.context(alias::ContextId(k));
    bool is_once = !context.is_common;
    if (is_once && context.caller) {
      const Function& f = program_.functions[points_.context(context.caller).function];
      is_once = runs_once_[context.caller.index()] && !is_in_cycle(f, block_of(f, context.instruction));
    }
    runs_once_.push_back(is_once);
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
      if (!object.context) return false;
      const Function& f = program_.functions[object.function];
      return runs_once_[object.context.index()] && !is_in_cycle(f, block_of(f, object.instruction));
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

std::optional<ObjectIndex> PointedMemory::of(alias::ContextId context, std::uint32_t alloca) const {
  const FunctionId function = points_.context(context).function;
  const ObjectIndex* known = points_.find({PointedObject::Kind::Local, {}, function, alloca, context});
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
      if (!object.context) return "memory";
      return "what " + std::string(program_.functions[object.function].shown_name()) + " made";
    case PointedObject::Kind::Function:
    case PointedObject::Kind::Passed:
    case PointedObject::Kind::Library:
    case PointedObject::Kind::Unknown: return "memory";
  }
  return "memory";
}

}  // namespace heddle::judge::transaction
