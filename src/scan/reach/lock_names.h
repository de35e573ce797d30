// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks in terms that two threads can compare.
//
//   Fixed      `m`, `server.lock`, `g->table->lock`: a path from a global (assumption `stable-paths`); where a pointer
//              on the path is always the same address, the path from there (assumption `settled-pointers`)
//   Relative   the lock beside the data: `p->lock` for `p->x`. If two accesses meet at one `x`, they meet at one lock.
//   Below      the lock of what the data points to: `p->owner->lock` for `p->x` (assumption `stable-paths`)
//   Above      a lock of something the data hangs off: `d->lock` for `d->priv->x` (assumption `one-parent`)
//
// Every other lock (of an array element by another index, of a value nobody can name) protects only what is relative to
// it.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "alias/locks/lock_aliases.h"
#include "alias/locks/settled_pointers.h"
#include "scan/calls/assumptions.h"
#include "scan/summary/function_summary.h"
#include "scan/summary/scan_input.h"

namespace heddle::scan {

struct NamedLock {
  std::uint32_t name = 0;
  locks::Mode mode = locks::Mode::Exclusive;
  friend auto operator<=>(const NamedLock&, const NamedLock&) = default;
  friend locks::Mode mode_of(const NamedLock& held) { return held.mode; }
  [[nodiscard]] bool is_shared() const { return mode == locks::Mode::Shared; }
};

/// One thing that a parameter may be at a call. A parameter with no row may be anything.
struct Passed {
  enum class Kind : std::uint8_t { Number, Code, Place };
  std::uint32_t parameter = 0;
  Kind kind = Kind::Number;
  std::int64_t value = 0;  ///< the number; a FunctionId; the fixed name of what it points to
  friend auto operator<=>(const Passed&, const Passed&) = default;
};

class LockNames {
 public:
  /// `aliases`: of pointers to locks that are surely the same; null: locks are known by their paths only. `settled`: of
  /// memory with a pointer that is always the same; null: nothing is known of it (assumption `settled-pointers`).
  explicit LockNames(const Assumptions& assumptions, alias::LockAliases* aliases = nullptr,
                     const alias::SettledPointers* settled = nullptr)
      : assumptions_(assumptions), aliases_(aliases), settled_(settled) {}

  /// The fixed name of a lock of a summary; none if it has none.
  static constexpr std::uint32_t none = ~0U;
  std::uint32_t fixed(const FunctionSummary& summary, Lvalue lock);
  /// The same where the parameters are these.
  std::uint32_t bound(const FunctionSummary& summary, Lvalue lock, const std::vector<Passed>& passed);
  /// The name of what lies so far behind another one.
  std::uint32_t moved(std::uint32_t name, std::int32_t distance);
  /// The same for any memory: a path names it whatever is assumed of locks.
  std::uint32_t path(const FunctionSummary& summary, Lvalue where);
  /// The names of a lock that do not depend on who comes to the data, or are relative to it; none twice.
  std::vector<std::uint32_t> of_lock(const FunctionSummary& summary, Lvalue data, Lvalue lock);
  /// All names under which an access at this offset of a group holds the locks of its lockset; sorted.
  std::vector<NamedLock> held_at(const FunctionSummary& summary, const AccessGroup& group, std::int32_t offset);

  /// Takes away what giving back these locks of a summary may give back of `held`: the lock of that name, or, if a name
  /// does not say which object it is and is not held, all that it may mean (one_place.h).
  void give_back(const ScanInput& input, const FunctionSummary& summary, const std::vector<ReleasedLock>& released,
                 std::vector<NamedLock>& held);

  /// What locks are alike that cannot be compared: the same member of the same struct, elements of one array. It says
  /// which lock is meant to protect a variable, and never that two accesses hold the same one. None if nothing is
  /// known.
  std::uint32_t kind_of(const Program& program, const FunctionSummary& summary, Lvalue lock);
  [[nodiscard]] bool is_kind(std::uint32_t name) const { return names_[name].kind == Name::Kind::Alike; }

  struct Name {
    enum class Kind : std::uint8_t { Fixed, Relative, Below, Above, Alike };
    Kind kind = Kind::Fixed;
    Lvalue path = {};           ///< Fixed, Alike if of an array: in paths(); Below: from the data on
    std::int32_t distance = 0;  ///< Relative: from the data to the lock; Above, Alike: offset in the parent
    std::uint32_t level = 0;    ///< Above
    TypeId parent = {};         ///< Above, Alike: the type of the parent
    friend auto operator<=>(const Name&, const Name&) = default;
  };
  [[nodiscard]] const Name& operator[](std::uint32_t id) const { return names_[id]; }
  [[nodiscard]] const NodeTable& paths() const { return paths_; }

 private:
  std::uint32_t below(const FunctionSummary& summary, Lvalue data, Lvalue lock);
  NodeId from_data(const FunctionSummary& summary, Lvalue data, NodeId node);
  NodeId canonical(const FunctionSummary& summary, NodeId node);
  [[nodiscard]] Lvalue resolved(const FunctionSummary& summary, NodeId node, const std::vector<Passed>& passed);
  std::uint32_t intern(const Name& name);
  Lvalue other_name(const FunctionSummary& summary, NodeId node);
  [[nodiscard]] std::optional<alias::GlobalPlace> address_of(const FunctionSummary& summary, NodeId node);
  [[nodiscard]] alias::Place place_of(const FunctionSummary& summary, NodeId node) const;
  std::uint32_t lock_path(const FunctionSummary& summary, Lvalue lock);

  [[nodiscard]] bool may_mean(const ScanInput& input, const FunctionSummary& summary, Lvalue released,
                              std::uint32_t held) const;
  [[nodiscard]] bool is_trusted(const FunctionSummary& summary, NodeId lock) const;

  Assumptions assumptions_;
  alias::LockAliases* aliases_ = nullptr;
  const alias::SettledPointers* settled_ = nullptr;
  NodeTable paths_;
  std::vector<Name> names_;
  std::map<Name, std::uint32_t> ids_;
};

/// What either of two calls passes.
[[nodiscard]] std::vector<Passed> either_passed(const std::vector<Passed>& a, const std::vector<Passed>& b);
/// False: it is surely not so where the parameters are these.
[[nodiscard]] bool may_hold(const Condition& when, const std::vector<Passed>& passed);

/// A lock that both hold, and not both only for reading.
bool share_a_lock(const std::vector<NamedLock>& a, const std::vector<NamedLock>& b);

}  // namespace heddle::scan
