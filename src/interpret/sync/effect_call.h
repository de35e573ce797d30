// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions that carry out actions share: the arguments of a call and the error numbers it returns.
#pragma once
#include "api/action.h"
#include "interpret/core/core.h"

namespace heddle::interpret {

constexpr int e_perm = 1, e_search = 3, e_again = 11, e_busy = 16, e_invalid = 22, e_deadlock = 35;

[[nodiscard]] inline bool has_argument(const NativeCall& call, api::Argument index) {
  return index >= 0 && static_cast<std::size_t>(index) < call.count();
}

[[nodiscard]] inline const Slot& argument(const NativeCall& call, api::Argument index) {
  return call.slot(static_cast<std::size_t>(index));
}

[[nodiscard]] inline std::uint64_t word(const NativeCall& call, api::Argument index) {
  return call.word(static_cast<std::size_t>(index));
}

/// What the call returns for an error number (0: success), as its model tells; e_busy stands for what the model calls
/// its failure.
inline void give_status(NativeCall& call, const api::Outcome& outcome, int status) {
  if (status == e_busy && outcome.failure >= 0) status = outcome.failure;
  switch (outcome.success) {
    case api::Success::NonZero: call.give(status == 0 ? 1 : 0); return;
    case api::Success::NonNegative: call.give(status == 0 ? 0 : ~0ULL); return;
    case api::Success::Zero:
    case api::Success::Always: call.give(static_cast<std::uint64_t>(status)); return;
  }
}

}  // namespace heddle::interpret
