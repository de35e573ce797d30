// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the source says about its locks: clang's thread-safety attributes, which do not reach the IR. They tell what
// somebody meant. Nobody checked it, so a proof may never rest on one.
//
//   int balance GUARDED_BY(mu);        guarded_by        Account.balance: mu
//   void lock(Mutex *m) ACQUIRE(*m);   acquire           @lock: *m, which is argument 0
//   class CAPABILITY("mutex") Mutex    capability        Mutex: "mutex"
#pragma once
#include <compare>
#include <cstdint>
#include <string_view>

#include "program/model/instruction.h"

namespace heddle {

struct LockAnnotation {
  enum class Kind : std::uint8_t {
    Capability,      ///< a type whose objects are locks; `lock` is what kind of lock it is called
    ScopedLockable,  ///< a type whose objects hold a lock while they live
    GuardedBy,       ///< a variable or member that `lock` guards; an empty `lock`: some lock
    PtGuardedBy,     ///< the same for what it points to
    Requires,        ///< a function that needs the lock held
    RequiresShared,
    Excludes,  ///< a function that needs it not held
    Acquire,
    AcquireShared,
    Release,
    ReleaseShared,
    ReleaseGeneric,  ///< whatever its mode was
    TryAcquire,
    TryAcquireShared,
    Assert,  ///< a function that checks at run time that the lock is held
    AssertShared,
    Returns,  ///< a function that returns (a reference to) the lock
    AcquiredBefore,
    AcquiredAfter,
    NoAnalysis,  ///< a function that its author took out of the check
  };
  static constexpr std::int32_t none = -1;

  Kind kind = Kind::Capability;
  Operand subject;                  ///< Function or Global; none for types and their members
  std::string_view type;            ///< of types and members: the type's name
  std::string_view field;           ///< of members
  std::string_view lock;            ///< as the source writes it: `mu`, `&q->lock`, `this`
  std::int32_t argument = none;     ///< the lock is what this argument points to; `this` is argument 0
  bool succeeds_with_zero = false;  ///< TryAcquire: the lock is taken when the result is zero
};

[[nodiscard]] std::string_view to_text(LockAnnotation::Kind kind);

}  // namespace heddle
