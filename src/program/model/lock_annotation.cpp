// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/lock_annotation.h"

namespace heddle {

std::string_view to_text(LockAnnotation::Kind kind) {
  using enum LockAnnotation::Kind;
  switch (kind) {
    case Capability: return "capability";
    case ScopedLockable: return "scoped_lockable";
    case GuardedBy: return "guarded_by";
    case PtGuardedBy: return "pt_guarded_by";
    case Requires: return "requires";
    case RequiresShared: return "requires_shared";
    case Excludes: return "excludes";
    case Acquire: return "acquire";
    case AcquireShared: return "acquire_shared";
    case Release: return "release";
    case ReleaseShared: return "release_shared";
    case ReleaseGeneric: return "release_generic";
    case TryAcquire: return "try_acquire";
    case TryAcquireShared: return "try_acquire_shared";
    case Assert: return "assert_held";
    case AssertShared: return "assert_held_shared";
    case Returns: return "lock_returned";
    case AcquiredBefore: return "acquired_before";
    case AcquiredAfter: return "acquired_after";
    case NoAnalysis: return "no_thread_safety_analysis";
  }
  return "";
}

}  // namespace heddle
