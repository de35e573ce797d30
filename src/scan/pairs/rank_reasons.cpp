// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/rank_reasons.h"

namespace heddle::scan {
namespace {

std::string reason_of(Weight weight) {
  switch (weight) {
    case Weight::GuardShare:
      return "the share of the functions or accesses that use it and hold one lock, in thousandths";
    case Weight::UsualLock: return "most accesses to it hold one lock, so it seems to be meant to protect it";
    case Weight::TwoWrites: return "both write";
    case Weight::Frees: return "one of them frees, and which object that is the path rarely tells";
    case Weight::MainWithoutLock: return "the side without the usual lock is main, which may be setting up";
    case Weight::OneSideLocks: return "one side holds locks, the other none";
    case Weight::SameVariable: return "better pairs of the same variable stand above";
    case Weight::SameFunction: return "the function that lacks the lock stands above, with another access";
  }
  return {};
}

}  // namespace

std::string reason_of(Doubt doubt) {
  switch (doubt) {
    case Doubt::ThreadLocalAllocation:
      return "one side uses memory that its own function allocated; perhaps nobody else knows it yet";
    case Doubt::OwnArgument: return "each instance of the thread is given memory of its own";
    case Doubt::LargePartition: return "only a very large class of pointers connects the two";
    case Doubt::BootUpThread: return "one side is the thread that started the program";
    case Doubt::BeforeItsThreads: return "one side has still to start threads of its own";
    case Doubt::SameEntry: return "both sides are instances of one thread";
    case Doubt::NeverLocked: return "no access to it ever holds a lock";
    case Doubt::EndedByCall:
      return "only if a thread is ended by a call (pthread_exit) before it has waited for those that it started";
    case Doubt::DyingProgram: return "one side only comes there when the program is about to end";
    case Doubt::LastOwner:
      return "one side only comes there when an atomic count says that nobody else uses the object";
    case Doubt::WideWays:
      return "only a pointer that may mean very many functions leads a thread to one side, and main comes there too";
    case Doubt::SameKindOfLock: return "both hold a lock of the same kind, perhaps of the same object";
    case Doubt::OwnTurn: return "both go by a number that is dealt out to the threads of a team, each to one of them";
    case Doubt::BarrierBetween: return "a barrier lies between the two";
    case Doubt::RunsOnce:
      return "one side is only called once, before or after what its own code makes known to callers";
    case Doubt::Signalled:
      return "one side only comes there when it has been told, by a flag, a semaphore or a barrier, behind the other";
    case Doubt::TakenOff:
      return "both sides use objects that they took off a list, a stack or a queue under a lock, or made themselves";
    case Doubt::OwnEvent:
      return "both sides use objects that they were given alone: of an event, which one loop waits for, or taken off a "
             "queue under a lock";
    case Doubt::OtherObject:
      return "one side uses what a variable of the library leads to (such as stderr), the other never does";
  }
  return {};
}

bool is_strong(Doubt doubt) {
  return doubt == Doubt::ThreadLocalAllocation || doubt == Doubt::OwnArgument || doubt == Doubt::LargePartition ||
         doubt == Doubt::EndedByCall || doubt == Doubt::DyingProgram || doubt == Doubt::LastOwner ||
         doubt == Doubt::WideWays || doubt == Doubt::SameKindOfLock || doubt == Doubt::OwnTurn ||
         doubt == Doubt::BarrierBetween || doubt == Doubt::RunsOnce || doubt == Doubt::Signalled ||
         doubt == Doubt::TakenOff || doubt == Doubt::OwnEvent || doubt == Doubt::OtherObject;
}

std::int64_t points_of(Doubt doubt) {
  switch (doubt) {
    case Doubt::ThreadLocalAllocation: return -500;
    case Doubt::OwnArgument: return -1500;
    case Doubt::LargePartition: return -600;
    case Doubt::BootUpThread: return -80;
    case Doubt::BeforeItsThreads: return -400;
    case Doubt::SameEntry: return -60;
    case Doubt::NeverLocked: return -700;
    case Doubt::EndedByCall: return -1200;
    case Doubt::DyingProgram: return -1200;
    case Doubt::LastOwner: return -900;
    case Doubt::WideWays: return -900;
    case Doubt::SameKindOfLock: return -900;
    case Doubt::OwnTurn: return -1500;
    case Doubt::BarrierBetween: return -1200;
    case Doubt::RunsOnce: return -900;
    case Doubt::Signalled: return -900;
    case Doubt::TakenOff: return -900;
    case Doubt::OwnEvent: return -900;
    case Doubt::OtherObject: return -1500;
  }
  return 0;
}

std::string_view to_text(Doubt doubt) {
  switch (doubt) {
    case Doubt::ThreadLocalAllocation: return "thread-local allocation";
    case Doubt::OwnArgument: return "own argument";
    case Doubt::LargePartition: return "large partition";
    case Doubt::BootUpThread: return "boot-up thread";
    case Doubt::BeforeItsThreads: return "before its threads";
    case Doubt::SameEntry: return "same entry";
    case Doubt::NeverLocked: return "never locked";
    case Doubt::EndedByCall: return "ended by a call";
    case Doubt::DyingProgram: return "dying program";
    case Doubt::LastOwner: return "last owner";
    case Doubt::WideWays: return "wide ways";
    case Doubt::SameKindOfLock: return "same kind of lock";
    case Doubt::OwnTurn: return "own turn";
    case Doubt::BarrierBetween: return "barrier between";
    case Doubt::RunsOnce: return "runs once";
    case Doubt::Signalled: return "signalled";
    case Doubt::TakenOff: return "taken off";
    case Doubt::OwnEvent: return "own event";
    case Doubt::OtherObject: return "other object";
  }
  return "";
}

std::string to_sentence(const RankReason& reason) {
  return std::visit([](auto about) { return reason_of(about); }, reason.about);
}

}  // namespace heddle::scan
