// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/models/declared_locks.h"

#include <map>
#include <optional>

namespace heddle::api {
namespace {

/// None if the annotation does not say what the call does to a lock.
std::optional<Effect> effect_of(const LockAnnotation& annotation) {
  Effect effect;
  effect.object = annotation.argument;
  switch (annotation.kind) {
    case LockAnnotation::Kind::TryAcquire:
    case LockAnnotation::Kind::TryAcquireShared:
      effect.blocking = false;
      effect.success = annotation.succeeds_with_zero ? Success::Zero : Success::NonZero;
      [[fallthrough]];
    case LockAnnotation::Kind::Acquire:
    case LockAnnotation::Kind::AcquireShared: effect.kind = EffectKind::Acquire; break;
    case LockAnnotation::Kind::Release:
    case LockAnnotation::Kind::ReleaseShared:
    case LockAnnotation::Kind::ReleaseGeneric: effect.kind = EffectKind::Release; break;
    default: return std::nullopt;
  }
  if (annotation.kind == LockAnnotation::Kind::AcquireShared ||
      annotation.kind == LockAnnotation::Kind::TryAcquireShared)
    effect.mode = LockMode::Shared;
  return effect;
}

}  // namespace

std::vector<Model> declared_locks(const Program& program) {
  std::map<FunctionId, std::vector<Effect>> found;
  for (const LockAnnotation& annotation : program.annotations) {
    if (!annotation.subject.is_function()) continue;
    const FunctionId id = annotation.subject.as_function();
    if (program.functions[id].has_body()) continue;
    if (const auto effect = effect_of(annotation)) found[id].push_back(*effect);
  }
  std::vector<Model> models;
  for (auto& [id, effects] : found) {
    bool is_complete = true;
    for (const Effect& effect : effects)
      is_complete = is_complete && effect.object >= 0 &&
                    static_cast<std::size_t>(effect.object) < program.functions[id].parameters.size();
    if (!is_complete) continue;
    Model& model = models.emplace_back();
    model.name = program.functions[id].name;
    model.file = "an attribute in the source";
    model.effects = std::move(effects);
    model.result = {.is_said = true, .is_any = true, .numbers = {}};
    model.is_declared = true;
  }
  return models;
}

}  // namespace heddle::api
