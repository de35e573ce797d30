// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OtherSides: what an executor knows of the code that an execution did not run. A search that prunes
// (prune/pruned_search.h) asks what a thread could have done instead, and these answers decide whether whole subspaces
// are left out. So they lean to one side: variables and released locks are over-approximated, acquired locks are
// under-approximated, and not knowing is `may_do_anything`.
//
//   if (c) { lock(A); x++; unlock(A); y = 5; lock(C); }      the execution went the other way: between the marks of
//   else { lock(C); x++; }                                   this branch stands the side of c: x after {A} was taken,
//                                                            y after A was taken and released, C taken at its end
//
// A branch begins where its condition was decided and ends where all its sides meet again (the post-dominator), or
// where the function returns. If the function is left otherwise (the thread ends, an exception) its sides may do
// anything: what follows the return is not in them. A call through a pointer is a branch, too: its sides are the other
// functions that the pointer may hold.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "explore/executor/deed.h"

namespace heddle::explore {

/// A set of objects. Two pointers that may ever lead to the same object have the same region.
using Region = std::uint32_t;
inline constexpr Region any_region = ~Region{0};

/// Memory that may be meant.
struct Variable {
  Region region = any_region;
  Bytes bytes;  ///< size 0: any bytes of the region
  friend bool operator==(const Variable&, const Variable&) = default;
};

/// Where an executor has the objects that the system keeps: files, channels. No memory lies there, and whoever may mean
/// one of them says these bytes, or fewer.
inline constexpr Bytes system_objects{std::uint64_t{1} << 59, std::uint64_t{1} << 59};
[[nodiscard]] inline bool is_kept_by_system(const Variable& variable) {
  return variable.bytes.size != 0 && overlap(variable.bytes, system_objects);
}

/// Which of them a call means depends on numbers that no access tells of.
[[nodiscard]] inline bool is_kept_by_system(const Deed& deed) {
  return uses_object(deed.kind) && is_kept_by_system(Variable{any_region, {deed.address, 1}});
}

[[nodiscard]] inline bool may_overlap(const Variable& a, const Variable& b) {
  if (a.bytes.size != 0 && b.bytes.size != 0) return overlap(a.bytes, b.bytes);
  if (is_kept_by_system(a) || is_kept_by_system(b)) return false;
  return a.region == any_region || b.region == any_region || a.region == b.region;
}

struct LockName {
  std::uint64_t address = 0;
  Region region = any_region;
  friend bool operator==(const LockName&, const LockName&) = default;
};

/// Holds while an atomic section of verification programs runs.
inline constexpr std::uint64_t section_lock = ~std::uint64_t{1};

/// What a piece of code does to the locks its thread holds: (held ∪ acquired) \ released is held behind it for sure.
struct LockUpdate {
  std::vector<LockName> acquired;        ///< for sure, exclusively
  std::vector<std::uint64_t> addresses;  ///< may be released
  std::vector<Region> regions;           ///< a lock in one of them may be released
  bool releases_anything = false;
  friend bool operator==(const LockUpdate&, const LockUpdate&) = default;
};

/// A branch of the program's code, as one number.
using BranchKey = std::uint64_t;
inline constexpr BranchKey any_branch = ~BranchKey{0};

/// On what a value depends. What a thread finds in memory is told by the accesses that read it.
struct Origin {
  bool everything = false;          ///< possibly on every value that the thread has read
  bool path = false;                ///< on which way the thread took to here
  bool argument = false;            ///< on what the thread was given when it was created
  std::vector<AccessKey> loads;     ///< on what its latest read by each of these found
  std::vector<BranchKey> branches;  ///< on which way it took at these; sorted
  [[nodiscard]] bool is_fixed() const { return !everything && !path && !argument && loads.empty() && branches.empty(); }
  [[nodiscard]] bool depends_on_way_at(BranchKey branch) const {
    return path || (branch == any_branch ? !branches.empty() : std::ranges::binary_search(branches, branch));
  }
};

/// An operation that may take place on a side that was not taken.
struct SideAccess {
  Variable variable;
  /// If its size is not 0: these bytes and no others, so far behind what its thread was given when it was created.
  Bytes behind_argument = {};
  bool is_write = false;
  bool is_atomic = false;
  bool is_object = false;   ///< an operation on a synchronisation object
  bool is_end = false;      ///< of memory or of a synchronisation object, or it makes the object anew
  bool takes = false;       ///< a lock, alone, and it waits for it: never enabled where another thread has it
  bool is_visible = false;  ///< it would be a visible operation of its own
  AccessKey key = no_access;
  LockUpdate before;  ///< from the branch to the access
  friend bool operator==(const SideAccess&, const SideAccess&) = default;
};

/// The sides that an execution did not take at one branch.
struct Side {
  BranchKey branch = any_branch;
  Origin condition;  ///< of what decided
  std::vector<SideAccess> accesses;
  std::vector<LockUpdate> ends;  ///< one for each side that gets to the end of the branch
  bool may_do_anything = false;  ///< an unknown function, a thread created there, …
};

struct SideMark {
  enum class Kind : std::uint8_t {
    Begin,
    End,    ///< the branch that began last is over
    Asks,   ///< a library is asked, and the thread may be told something else in another execution
    Doubt,  ///< from here on it knows what it was told, and no read says so; `key`: and so does what was written by it
  };
  Kind kind = Kind::Begin;
  std::uint32_t deed = 0;      ///< so many deeds of the step came before
  const Side* side = nullptr;  ///< of a beginning
  AccessKey key = no_access;   ///< of a doubt: writes by this access behind the latest Asks took place here
};

class OtherSides {
 public:
  OtherSides() = default;
  OtherSides(const OtherSides&) = delete;
  OtherSides& operator=(const OtherSides&) = delete;
  virtual ~OtherSides() = default;

  /// Why nothing may rest on these answers for this program; empty: nothing speaks against it.
  [[nodiscard]] virtual const std::string& obstacle() const = 0;
  /// Of the execution that has just been run, by step. Beginnings and ends are nested for each thread; a branch whose
  /// end is missing lasts as long as its thread. Nothing: too many to be told.
  [[nodiscard]] virtual std::optional<std::vector<std::vector<SideMark>>> marks() = 0;
  /// On what the address of an access or of a synchronisation object depends.
  [[nodiscard]] virtual const Origin& origin_of(AccessKey key) = 0;
  /// Where it may lead in any execution; none: to memory that no other thread knows.
  [[nodiscard]] virtual const std::vector<Region>& regions_of(AccessKey key) = 0;
  /// What the operation tells its thread depends on others, and no read says so: a try, the result of a thread.
  [[nodiscard]] virtual bool is_answer(AccessKey key) = 0;
};

}  // namespace heddle::explore
