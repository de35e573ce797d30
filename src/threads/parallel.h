// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May two phases of two threads overlap? A phase is what a thread has possibly created and surely joined at a point.
//
//   main: create A; x; join A; y      x may run beside A, y may not: A is joined
//   main: z; create B                 z may not run beside B: B is not created yet
//
// Sound: "no" is answered only for orders that hold in every execution.
#pragma once
#include <functional>

#include "threads/thread_table.h"

namespace heddle::threads {

struct Phase {
  ThreadId thread;
  std::function<bool(ThreadId)> may_have_created;
  std::function<bool(ThreadId)> must_have_joined;
};

/// Why the two cannot overlap; Overlap if they may.
enum class Order { Overlap, SameThread, NotCreatedYet, AlreadyJoined };

Order order_of(const ThreadTable& table, const Phase& a, const Phase& b);

}  // namespace heddle::threads
