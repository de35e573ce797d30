// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said for and against a warning of a scan. Reasons move it in the list and are named in the report; they drop
// nothing.
//
//   +933  14 of 15 accesses hold the usual lock
//    -80  one side is the thread that started the program
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace heddle::scan {

/// RELAY's filters, and ours: reasons not to believe a warning.
enum class Doubt : std::uint8_t {
  ThreadLocalAllocation,  ///< the memory was allocated by a thread that makes one of the accesses
  OwnArgument,            ///< each instance of the thread is given its own object
  LargePartition,         ///< the alias class has very many objects, and no name or type says more
  BootUpThread,           ///< one access is made by the thread that started the program
  BeforeItsThreads,       ///< one access is made by a thread that is still to start others
  SameEntry,              ///< both accesses are made by instances of one thread
  NeverLocked,            ///< no access to this variable ever holds a lock
  EndedByCall,            ///< only if a thread is ended by a call before it has waited for those that it started
  DyingProgram,           ///< one access is only made when the program is about to end
  LastOwner,              ///< one access is only made when a count of owners says that nobody else is left
  WideWays,               ///< a thread only comes to one access through a pointer that may mean very many functions
  SameKindOfLock,         ///< both hold a lock of the same member of the same struct, perhaps of the same object
  OwnTurn,                ///< both go by a number that is dealt out to the threads of a team, each to one
  BarrierBetween,         ///< a barrier lies between them
  RunsOnce,               ///< one access is made by what is called once, before or after what its code makes known
  Signalled,              ///< one access is only made when the other side's thread has said that it is done
  TakenOff,               ///< both use objects that their threads took off a list, a stack or a queue
  OwnEvent,               ///< both use objects of events, each of which belongs to one loop
  OtherObject,            ///< calls of a library, one of them on what a variable of its own leads to
};
std::string_view to_text(Doubt doubt);
/// In a sentence.
std::string reason_of(Doubt doubt);
/// Such a warning is called unlikely.
bool is_strong(Doubt doubt);
std::int64_t points_of(Doubt doubt);

/// What else moves a warning in the list.
enum class Weight : std::uint8_t {
  GuardShare,       ///< how many accesses of the variable hold its usual lock
  UsualLock,        ///< nearly all hold it, and one of these two does not
  TwoWrites,        ///< both write
  Frees,            ///< one frees
  MainWithoutLock,  ///< the side that lacks the usual lock is main
  OneSideLocks,     ///< one side holds locks, the other none
  SameVariable,     ///< another pair of the same variable stands above
  SameFunction,     ///< the function that does without the lock stands above, with another variable
};

struct RankReason {
  std::variant<Doubt, Weight> about;
  std::int64_t points = 0;  ///< above zero: more suspicious
};

/// The same for all.
std::string to_sentence(const RankReason& reason);

}  // namespace heddle::scan
