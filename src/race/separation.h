// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Separation: why two accesses that were looked at together are no warning. Drivers give the reason for each pair they
// drop; `heddle explain VARIABLE` lists them, and tests ask for them (`// NORACE: … -> separated(common-lock)`).
//
//   counter.c:12:5 write in add / counter.c:20:12 read in main      already-joined: the thread has ended by then
//
// Nothing is kept of the pairs of a run: the question is asked again when somebody wants to know.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::race {

enum class SeparationReason : std::uint8_t {
  BothRead,
  BothAtomic,
  OtherBytes,      ///< the two never touch a common byte
  OtherObject,     ///< the two are never in the same object
  SameThread,      ///< one thread makes both, and there is only one of it
  NotCreatedYet,   ///< the thread of one does not exist yet when the other happens
  AlreadyJoined,   ///< the thread of one has ended when the other happens
  NotParallel,     ///< the threads of the two never run at the same time (scan, which does not tell why)
  InTurn,          ///< one core, and neither can interrupt the other (scan of tasks and interrupts)
  Masked,          ///< who could interrupt the other is masked there (scan of tasks and interrupts)
  CommonLock,      ///< both hold it, one of them exclusively
  FlagBetween,     ///< a flag that is set once, under a lock, lies between them
  OwnTicket,       ///< each is at a place of the numbers that a counter dealt out to its thread
  Barrier,         ///< a barrier that both threads wait at lies between the two
  OwnShare,        ///< each thread of the team has numbers of its own, and the accesses go by them
  ApartInMemory,   ///< all that one touches lies before all that the other touches, whatever the numbers are
  OwnChunk,        ///< each instance of the thread has a range of its own
  OwnObject,       ///< each instance of the thread has an object or slot of its own
  SlotOfNext,      ///< one prepares what the next instance will be given, the other is in an instance before it
  OppositeOrders,  ///< two locks, taken in opposite orders (scan; of verify the judge `history` says it)
};

inline constexpr std::array all_separation_reasons = {
    SeparationReason::BothRead,      SeparationReason::BothAtomic,     SeparationReason::OtherBytes,
    SeparationReason::OtherObject,   SeparationReason::SameThread,     SeparationReason::NotCreatedYet,
    SeparationReason::AlreadyJoined, SeparationReason::NotParallel,    SeparationReason::InTurn,
    SeparationReason::Masked,        SeparationReason::CommonLock,     SeparationReason::FlagBetween,
    SeparationReason::Barrier,       SeparationReason::OwnShare,       SeparationReason::ApartInMemory,
    SeparationReason::OwnChunk,      SeparationReason::OwnObject,      SeparationReason::SlotOfNext,
    SeparationReason::OwnTicket,     SeparationReason::OppositeOrders,
};

/// `common-lock`
std::string_view to_text(SeparationReason reason);
/// "both hold a lock that excludes the other"
std::string_view to_sentence(SeparationReason reason);

struct Separation {
  SeparationReason reason = SeparationReason::BothRead;
  std::string detail = {};  ///< which lock, where that is known; for people
};

}  // namespace heddle::race
