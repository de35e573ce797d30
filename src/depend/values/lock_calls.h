// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions without a body that take a lock, or give one back, and do nothing else: `GetResource`, `xSemaphoreTake`,
// `pthread_mutex_unlock`. By their models.
#pragma once
#include <cstdint>
#include <map>

#include "api/action.h"
#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::depend {

struct LockCall {
  bool takes = false;  ///< false: it gives it back
  api::LockRef lock;
  bool is_recursive = false;
  api::Success success = api::Success::Always;
  bool may_fail = false;  ///< it may come back without the lock

  /// With this result the lock was taken.
  [[nodiscard]] bool is_taken_with(std::uint64_t result, std::uint32_t bits) const;
  /// A result with which it was, or was not.
  [[nodiscard]] std::uint64_t result_if(bool taken) const;
};

class LockCalls {
 public:
  LockCalls(const Program& program, const api::ApiModels& models);

  /// Null: it is none of these.
  [[nodiscard]] const LockCall* of(FunctionId function) const {
    const auto found = calls_.find(function);
    return found == calls_.end() ? nullptr : &found->second;
  }

 private:
  std::map<FunctionId, LockCall> calls_;
};

}  // namespace heddle::depend
