// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread of the run consists of: frames, registers, the operation it stands before, the locks it holds. All of
// it is plain data that can be copied: that is how it is undone (Threads::save).
//
// The registers of all frames lie in one vector; a frame is a window on it. A frame without code belongs to the machine
// itself, which calls functions of the program one after the other (start-up, qsort, exit handlers): its `pc` is a
// phase and `state` is what it has to remember between two calls.
//
//   main(argc, argv)          frames: Startup (native, phase 1), main (pc 12)
//     qsort(a, 9, 4, less)    frames: Startup, main (pc 12), Sort (native, state: base, count, …), less (pc 0)
#pragma once
#include <array>
#include <vector>

#include "interpret/state/memory.h"

namespace heddle::interpret {

/// Frames without code: what the machine itself does between calls of program functions.
enum class NativeKind : std::uint8_t {
  None,
  Startup,
  ThreadMain,
  Once,
  Sort,
  Search,
  ExitHandlers,
  ThreadExit,
  Terminate,
  Throw
};

struct Frame {
  const FunctionCode* code = nullptr;  ///< null: native
  std::uint32_t pc = 0;
  std::uint32_t base = 0;          ///< first slot in Thread::slots
  std::uint32_t first_object = 0;  ///< in Thread::stack_objects
  Address stack_top = 0;           ///< of the caller
  PathId path = ~PathId{0};        ///< of the callers; all ones: not computed yet
  Address varargs = 0;             ///< object that holds the variadic arguments
  std::uint32_t serial = 0;        ///< for setjmp: is it still the same frame
  NativeKind native = NativeKind::None;
  bool ends_section = false;
  std::array<std::uint64_t, 8> state{};
};

/// A section that could not run: what it had read, and what blocked it.
struct SectionWait {
  bool is_waiting = false;
  std::vector<TouchedBytes> reads;
  std::uint64_t content = 0;  ///< hash of the bytes read
  OpKind blocked = OpKind::None;
  Address object = 0;
};

struct JumpPoint {
  std::uint64_t token = 0;
  std::uint32_t frame = 0;
  std::uint32_t serial = 0;
  std::uint32_t pc = 0;
};

struct HeldLock {
  Address lock = 0;
  bool is_shared = false;
};

struct ExitCall {
  Address function = 0;
  Slot argument;
};

struct CaughtException {
  Slot exception;  ///< address of the thrown object
  std::uint64_t type = 0;
  Address destructor = 0;
  std::uint32_t handlers = 0;
};

struct Thread {
  ThreadStatus status = ThreadStatus::Runnable;
  OpKind op = OpKind::Start;
  Address op_object = 0;
  Address op_lock = 0;  ///< Wake: the lock to take back
  std::array<TouchedBytes, 2> touches{};
  std::uint8_t touch_count = 0;
  bool is_detached = false;
  bool is_joined = false;
  bool was_signalled = false;
  bool is_timed = false;             ///< the wait may end without a signal
  std::uint32_t timeout_status = 0;  ///< what it then returns
  std::uint32_t wait_count = 0;      ///< recursion of the lock when the wait began; barrier generation
  ThreadIndex creator = no_thread;
  ThreadIndex group = no_thread;  ///< the first thread of the group it was started into
  std::uint32_t children = 0;     ///< threads it has created
  std::uint32_t ordinal = 0;      ///< so many its creator had created before
  FunctionId entry;
  std::uint64_t argument = 0;  ///< that its creator gave it
  Slot result;
  Slot native_result;  ///< what a callee gave to the native frame on top
  std::uint64_t instructions = 0;
  std::uint32_t next_serial = 1;
  Address stack_top = 0;
  std::vector<Frame> frames;
  std::vector<Slot> slots;
  std::vector<ObjectId> stack_objects;
  std::vector<std::pair<GlobalId, ObjectId>> thread_locals;
  std::vector<Slot> keys;  ///< pthread_setspecific
  std::vector<ExitCall> exit_calls;
  std::vector<JumpPoint> jumps;
  std::vector<HeldLock> held;
  std::vector<CaughtException> exceptions;
  std::vector<std::pair<std::uint32_t, ObjectId>> library;  ///< errno and the like
  SectionWait section;
  std::uint64_t saved_in = 0;  ///< epoch of the last copy for undo
};

}  // namespace heddle::interpret
