// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library call reads and writes memory of the program too: scanf("%d", &shared), free(shared). Where plain accesses
// are scheduling points, such a call is one access to the scheduler. What it will touch is found by carrying it out and
// taking it back; choices are zero meanwhile.
//
//   thread 1: scanf("%d", &x)      rehearsed: writes 4 bytes at &x; undone; the thread stands before Write x
//   thread 2: x = 3                stands before Write x: the search sees that the two conflict
//   thread 1, granted              the call is made in earnest
//
// Not exact: the rehearsal sees one answer of each choice, so a call whose accesses depend on the answer may touch more
// than the scheduler was told. The events of the real call are exact.
#pragma once
#include <functional>

#include "interpret/core/native_call.h"

namespace heddle::interpret {

using CallBody = std::function<void(NativeCall&)>;

/// True: the accesses of the call are a scheduling point, and the running thread stands before them.
bool stop_before_call(const NativeCall& call, const CallBody& body);

}  // namespace heddle::interpret
