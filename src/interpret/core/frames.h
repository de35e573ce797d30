// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions that have a body: frames are pushed with their arguments, popped with their local variables, and
// the caller goes on with the result.
//
//   caller at `y = f(x)`     frames.call(thread, f, site)             a frame for f; the caller's pc stays at the call
//   f at `return x + 1`      frames.return_from(thread, &value, 1)    f's frame and its allocas are gone; y is written,
//                                                                     the caller's pc is behind the call
//
// `finish_call` writes the result and moves the caller on; who carries out a call without a frame (a native, an effect,
// the end of a wait) calls it too. An invoke goes on at its normal edge. Frames of the machine itself (NativeKind) have
// no code: a result for one is left in Thread::native_result, and the frame is resumed by library/native_frames.h.
//
// Here is also what a new frame needs: stack objects, addresses of thread-local variables, variadic arguments as the
// target's convention lays them out (va_list.h).
#pragma once
#include "interpret/core/space.h"
#include "interpret/state/sync_table.h"

namespace heddle::interpret {

class Frames {
 public:
  Frames(const MachineOptions& options, const Image& image, Memory& memory, Threads& threads, SyncTable& syncs,
         Account& account, Space& space, Recorder& recorder)
      : options_(options),
        image_(image),
        memory_(memory),
        threads_(threads),
        syncs_(syncs),
        account_(account),
        space_(space),
        recorder_(recorder) {}

  /// The function behind an address; ends the run if there is none.
  const FunctionCode& function_at(const Slot& address);

  void call(Thread& thread, const FunctionCode& code, const CallCode& site);
  /// A call by the machine itself, with arguments that are not in the program.
  void push(Thread& thread, const FunctionCode& code, std::span<const Slot> arguments);
  void push_native(Thread& thread, NativeKind kind) { add(thread, nullptr).native = kind; }
  void pop(Thread& thread);
  /// The local variables that end with the innermost frame although other threads know them; size 0: there are none.
  [[nodiscard]] TouchedBytes felt_end(const Thread& thread) const;
  void pop_all(Thread& thread);

  void return_from(Thread& thread, const Slot* value, std::size_t slots);
  void finish_call(Thread& thread, const Slot* result, std::size_t slots);
  /// The innermost frame, a native one, is done.
  void finish_native(Thread& thread, const Slot& result);
  void take_edge(Thread& thread, const Edge& edge);
  /// Back to the setjmp of this token, which returns `value`.
  void long_jump(Thread& thread, std::uint64_t token, std::uint64_t value);

  /// A new local variable of the innermost frame.
  Slot stack_object(Thread& thread, std::uint64_t size, std::uint64_t align);
  /// A thread's copy of a thread-local variable; made on first use.
  ObjectId thread_local_object(ThreadIndex thread, GlobalId global);
  void release_thread_locals(Thread& thread);
  /// The block of the local variable at `address` is over. Its frame goes on, and may come to that block again.
  void end_local(const Slot& address);
  /// Where an operand of the innermost frame lies.
  [[nodiscard]] const Slot* slot_at(const Thread& thread, std::int32_t slot) const {
    return slot < 0 ? image_.decoded.constants_end() + slot
                    : thread.slots.data() + thread.frames.back().base + static_cast<std::uint32_t>(slot);
  }

 private:
  Frame& add(Thread& thread, const FunctionCode* code);
  void end_temporaries(Thread& thread);
  void end_object(const Thread& thread, ObjectId id);
  [[nodiscard]] bool is_end_felt(const Thread& thread, const Object& object) const;
  void fill_thread_locals(Thread& thread);
  void copy_byval(Thread& thread, const CallCode& site, std::size_t count);
  void push_varargs(Thread& thread, const FunctionCode& code, const CallCode& site, std::uint32_t caller_base);

  const MachineOptions& options_;
  const Image& image_;
  Memory& memory_;
  Threads& threads_;
  SyncTable& syncs_;
  Account& account_;
  Space& space_;
  Recorder& recorder_;
};

}  // namespace heddle::interpret
