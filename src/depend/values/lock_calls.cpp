// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/values/lock_calls.h"

#include <optional>

namespace heddle::depend {
namespace {

std::optional<LockCall> lock_call_of(const api::Model& model) {
  if (model.effects.size() != 1) return std::nullopt;
  if (const auto give = api::get<api::GiveLock>(model.effects.front())) return LockCall{.lock = give->lock};
  const auto take = api::get<api::TakeLock>(model.effects.front());
  if (!take || take->mode != api::LockMode::Exclusive) return std::nullopt;
  return LockCall{
      .takes = true,
      .lock = take->lock,
      .is_recursive = take->recursive,
      .success = take->outcome.success,
      .may_fail = take->outcome.success != api::Success::Always && take->outcome.granted == api::Granted::Nothing};
}

}  // namespace

bool LockCall::is_taken_with(std::uint64_t result, std::uint32_t bits) const {
  const std::uint64_t sign = 1ULL << (bits == 0 || bits > 64 ? 63 : bits - 1);
  switch (success) {
    case api::Success::Always: return true;
    case api::Success::Zero: return result == 0;
    case api::Success::NonZero: return result != 0;
    case api::Success::NonNegative: return (result & sign) == 0;
    case api::Success::NotMinusOne: return result != (sign | (sign - 1));
  }
  return true;
}

std::uint64_t LockCall::result_if(bool taken) const {
  switch (success) {
    case api::Success::Always: return 0;
    case api::Success::Zero: return taken ? 0 : 1;
    case api::Success::NonZero: return taken ? 1 : 0;
    case api::Success::NonNegative:
    case api::Success::NotMinusOne: return taken ? 0 : ~0ULL;
  }
  return 0;
}

LockCalls::LockCalls(const Program& program, const api::ApiModels& models) {
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    if (function.has_body() || function.is_intrinsic) continue;
    const api::Model* model = models.find(function.name.substr(0, function.name.find('@')));
    if (const auto call = model == nullptr ? std::nullopt : lock_call_of(*model)) calls_.emplace(FunctionId(f), *call);
  }
}

}  // namespace heddle::depend
