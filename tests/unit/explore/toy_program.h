// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tiny concurrent language for the tests of the searches: threads are lists of operations on variables, memory cells,
// locks and semaphores, so that all interleavings can be enumerated.
//
//   r0 w0=5 x0      read, write, update variable 0 (atomic, sequentially consistent); y0 v0=5: read, write, relaxed
//   R0              a read that skips the next operation if it sees an odd value: control depends on the schedule
//   a0=5            waits until variable 0 is 5
//   q0=5            reads variable 0 and goes on if it is 5; otherwise stands where it stood: a loop that polls
//   e0              the assertion that variable 0 is even
//   L0 S0=5         plain load and store of memory cell 0; belongs to the operation before at the grain of operations
//   l0 u0 t0        lock, unlock, try-lock (a failed try skips the next two operations)
//   p0 s0           semaphore up, down
//   b3              back to three operations before this; belongs to the operation before
//   c=3             one of three outcomes: skips so many operations
//   n=2             asks for an input and skips the next operation unless it is 2; belongs to the operation before
//   f1 j1           creates, joins thread 1
//   E               ends the program
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::explore::toy {

enum class Kind : std::uint8_t {
  Read,
  Write,
  Update,
  RelaxedRead,
  RelaxedWrite,
  OddRead,
  Await,
  Poll,
  Assert,
  Load,
  Store,
  Lock,
  Unlock,
  TryLock,
  Post,
  Take,
  Back,
  Toss,
  Input,
  Spawn,
  Join,
  Exit,
};

struct Operation {
  Kind kind = Kind::Read;
  std::uint64_t object = 0;  ///< Spawn, Join: the thread
  std::uint32_t value = 0;   ///< Write, Await, Poll, Store, Input: the value; Toss: number of outcomes
};

using Threads = std::vector<std::vector<Operation>>;

/// One text per thread.
Threads parse(const std::vector<std::string>& threads);

}  // namespace heddle::explore::toy
