// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/separation.h"

#include "base/check.h"

namespace heddle::race {
namespace {

struct Words {
  std::string_view name, sentence;
};

Words words(SeparationReason reason) {
  switch (reason) {
    case SeparationReason::BothRead: return {"both-read", "neither writes"};
    case SeparationReason::BothAtomic: return {"both-atomic", "both are atomic"};
    case SeparationReason::OtherBytes: return {"other-bytes", "they touch no common byte"};
    case SeparationReason::OtherObject: return {"other-object", "they are never in the same object"};
    case SeparationReason::SameThread: return {"same-thread", "one thread makes both, and it runs once"};
    case SeparationReason::NotCreatedYet:
      return {"not-created-yet", "the thread of one does not exist yet when the other happens"};
    case SeparationReason::AlreadyJoined:
      return {"already-joined", "the thread of one has ended, and was waited for, when the other happens"};
    case SeparationReason::NotParallel: return {"not-parallel", "their threads never run at the same time"};
    case SeparationReason::InTurn: return {"in-turn", "neither can interrupt the other"};
    case SeparationReason::Masked: return {"masked", "who could interrupt the other is masked there"};
    case SeparationReason::CommonLock: return {"common-lock", "both surely hold a lock that excludes the other"};
    case SeparationReason::OwnTicket:
      return {"own-ticket",
              "a counter that is only stepped on deals each thread numbers of its own, on which the places depend"};
    case SeparationReason::FlagBetween:
      return {"flag-between", "one is made before a variable is set under a lock, the other after that was seen"};
    case SeparationReason::Barrier: return {"barrier", "both threads wait at a barrier between the two"};
    case SeparationReason::OwnShare:
      return {"own-share", "what is dealt out to the threads of a team goes to one of them each"};
    case SeparationReason::ApartInMemory:
      return {"apart-in-memory", "all bytes of one lie before all bytes of the other"};
    case SeparationReason::OwnChunk: return {"own-chunk", "each instance of the thread has a range of its own"};
    case SeparationReason::OwnObject: return {"own-object", "each instance of the thread has an object of its own"};
    case SeparationReason::SlotOfNext:
      return {"slot-of-next", "one prepares the object of a thread that is still to be started"};
    case SeparationReason::OppositeOrders:
      return {"opposite-orders", "they took two locks in opposite orders, and each still holds its first"};
  }
  fail_check("reason", "no such SeparationReason");
}

}  // namespace

std::string_view to_text(SeparationReason reason) { return words(reason).name; }
std::string_view to_sentence(SeparationReason reason) { return words(reason).sentence; }

}  // namespace heddle::race
