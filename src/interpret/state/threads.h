// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a run: the table, whose turn it is, how many still live, and the copies that undo needs.
//
// Numbers. A thread's number is its place in the table; 0 is main. A search that compares executions needs numbers that
// do not depend on which of two creators was faster: with MachineOptions::stable_threads a thread keeps the number it
// got when its creator first made its so-many-th thread in any execution. Numbers of threads that this execution has
// not made stand for nobody: they count as finished.
//
//   main makes A and B, A makes C.   This run: A is 1, C is 2, B is 3.   Undone, and B is made before C: B is still 3.
//
// Undo. Who is about to change a thread calls `save` first. The step's own thread is saved when the step begins; other
// threads are saved by whoever signals, joins or detaches them. A thread is copied once per epoch.
#pragma once
#include <deque>
#include <map>
#include <optional>

#include "interpret/state/machine_options.h"
#include "interpret/state/memory.h"
#include "interpret/state/thread.h"

namespace heddle::interpret {

class Threads {
 public:
  /// Main is there; it has no frame yet.
  Threads(const MachineOptions& options, UndoLog& log);

  [[nodiscard]] std::size_t size() const { return threads_.size(); }
  [[nodiscard]] Thread& operator[](ThreadIndex index) { return threads_[index]; }
  [[nodiscard]] const Thread& operator[](ThreadIndex index) const { return threads_[index]; }
  [[nodiscard]] auto begin() const { return threads_.begin(); }
  [[nodiscard]] auto end() const { return threads_.end(); }
  [[nodiscard]] std::size_t live() const { return live_; }

  /// The thread whose step it is.
  [[nodiscard]] ThreadIndex current() const { return current_; }
  [[nodiscard]] Thread& running() { return threads_[current_]; }
  [[nodiscard]] const Thread& running() const { return threads_[current_]; }
  void give_turn_to(ThreadIndex index) { current_ = index; }

  /// A new thread, made by the running one. Nothing: there would be too many.
  std::optional<ThreadIndex> add();
  void finish(Thread& thread);
  /// Of what pthread_create gave to the program; no_thread: of no thread.
  [[nodiscard]] ThreadIndex with_handle(std::uint64_t handle) const;
  [[nodiscard]] static std::uint64_t handle_of(ThreadIndex index) { return Memory::handle_base + index + 1; }
  /// Where the thread stands: the functions of the program on its stack, innermost first.
  [[nodiscard]] std::vector<StackEntry> stack(ThreadIndex index) const;

  void save(ThreadIndex index);
  void undo(const LogEntry& entry);
  void count_live();  ///< after undoing
  void forget_saves() { save_count_ = 0; }

 private:
  void remove(ThreadIndex index);

  const MachineOptions& options_;
  UndoLog& log_;
  std::deque<Thread> threads_;
  std::map<std::pair<ThreadIndex, std::uint32_t>, ThreadIndex> names_;  ///< stable_threads; never undone
  std::size_t live_ = 1;
  ThreadIndex current_ = 0;
  struct Save {
    ThreadIndex index = 0;
    Thread thread;
  };
  std::vector<Save> saves_;  ///< entries behind save_count_ keep their capacity
  std::size_t save_count_ = 0;
};

}  // namespace heddle::interpret
