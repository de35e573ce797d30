// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables are shared, and why (CAV07 §2, Algorithm 1): a variable that threads may touch at the same time and
// that at least one of them updates. No lock is asked for, so a variable that nobody ever locks is found as well, which
// is what a correlation of locks and variables misses.
//
//   int hits;                                       hits        a global that is written by its name
//   void put(struct queue *q) { q->head->len++; }   item.len    &jobs is passed to put as q, q->head is followed:
//                                                               through a pointer that lies in a global
//   q = &local;  q->len = 0;                        nothing: the sequence from &jobs ended when q was assigned
//
// A variable is a member of a struct, a global, what a path from a global leads to, or what a class of pointers leads
// to; a struct of which three members carry shared data is three variables. What makes it shared is a *genuine update*:
// a store to the memory itself. Handing a pointer on is none, however often its copies are assigned, and memory that
// nobody else knows yet is not shared memory. Both are the work of the symbolic execution of functions (execute/):
// flow-sensitive, with strong updates, over summaries of callees. Here its accesses are only collected, in the buckets
// in which the pairs meet as well: all that a scan warns of is in the list. It is as complete as a scan, under the
// same assumptions (docs/assumptions.md). Cost: that of collecting the accesses once more, if asked for.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scan/pairs/candidates.h"
#include "scan/shared/update_sequence.h"
#include "threads/outside_entries.h"

namespace heddle::scan {

/// What a complete update sequence begins with; of several, a variable has the first one in this order.
enum class SharedRule : std::uint8_t {
  WrittenGlobal,    ///< a global that is written by its name
  PointerToGlobal,  ///< the address of a global that was handed on
  PointerInGlobal,  ///< a pointer that lies in a global, or in what one leads to
  LibraryState,
  ApiParameter,    ///< a parameter of a function that somebody outside calls
  ThreadArgument,  ///< the argument that a thread was started with
  TableParameter,  ///< a parameter of one of very many functions that a table leads to
  EscapedPointer,  ///< memory that a function made and that others know
  UnknownPointer,  ///< a pointer that was read from memory, and nobody can say which
};
[[nodiscard]] std::string_view to_text(SharedRule rule);
[[nodiscard]] std::string_view to_word(SharedRule rule);  ///< for programs: `written-global`

struct SharedVariable {
  std::string name;
  SharedRule rule = SharedRule::WrittenGlobal;
  std::string origin;                ///< what more is known of where the sequence begins; may be empty
  std::vector<UpdateStep> sequence;  ///< its last step is the update
  std::vector<AccessSpot> accesses;  ///< each instruction once, in the order of functions
  bool is_ever_locked = false;       ///< some access is made under some lock, whichever
};

/// Why a variable is not in the list.
enum class NotShared : std::uint8_t {
  OnlyRead,     ///< where threads run
  NoThread,     ///< only main touches it, beside its threads
  OneAtATime,   ///< those that touch it never run at the same time, or only one does
  ThreadLocal,  ///< each thread has its own
  Alone,        ///< touched only where no other thread runs or can know it
  Unused,       ///< nothing that is reached names it
};
[[nodiscard]] std::string_view to_text(NotShared reason);
[[nodiscard]] std::string_view to_word(NotShared reason);

struct UnsharedVariable {
  std::string name;
  NotShared reason = NotShared::OnlyRead;
};

struct SharedVariables {
  std::vector<SharedVariable> shared;    ///< by name
  std::vector<UnsharedVariable> others;  ///< by name: globals, and members of structs that threads touch
  std::uint64_t large_classes = 0;       ///< that were not looked at (assumption `small-classes`)
  [[nodiscard]] std::size_t never_locked() const;
};

/// `entries`: the functions that somebody outside calls, with reasons.
SharedVariables find_shared_variables(const ScanFacts& facts, const std::vector<threads::OutsideEntry>& entries,
                                      const CandidateOptions& options);

}  // namespace heddle::scan
