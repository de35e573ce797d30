// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State of the C library that all threads share and that is not memory of the program: files, functions to run at the
// end of the program, keys of thread values, the clock. It is small and changes seldom, so undo keeps whole copies: who
// is about to change it calls `save` once before, or `change`, which is both.
//
//   atexit(f)     library.change().exit_calls.push_back(f)
//   fgetc(s)      library.save(), then core/files.h moves the position of the file
//
// Private state of one thread (errno, strtok) lies in objects of memory that belong to the thread: LibraryObjects.
#pragma once
#include <map>
#include <string>
#include <utility>

#include "interpret/state/file_table.h"
#include "interpret/state/thread.h"

namespace heddle::interpret {

struct LibraryState {
  std::vector<ExitCall> exit_calls;
  std::vector<ExitCall> quick_exit_calls;
  std::vector<Address> key_destructors;
  Address terminate_handler = 0;  ///< what std::set_terminate was given; 0: the library's own, which aborts
  FileTable files;
  std::uint64_t clock = 0;  ///< nanoseconds since some start
  // What the process is; 0, or nothing: nobody has asked yet.
  std::uint64_t process = 0, parent = 0;
  std::map<std::string, std::uint64_t, std::less<>> constants;  ///< other numbers that stay the same for one run
  std::uint64_t alarm = 0;                                      ///< seconds, as the last call wanted
};

class LibraryStore {
 public:
  explicit LibraryStore(UndoLog& log) : log_(log) {}

  [[nodiscard]] const LibraryState& now() const { return now_; }
  /// For one who has called `save` in this call of the library, or while the machine is set up.
  [[nodiscard]] LibraryState& saved() { return now_; }
  LibraryState& change() {
    save();
    return now_;
  }

  void save() {
    if (!log_.is_on()) return;
    saves_.push_back(now_);
    log_.add({LogEntry::Kind::Library, 0, 0, 0, 0, 0});
  }
  void undo() {
    now_ = std::move(saves_.back());
    saves_.pop_back();
  }
  void forget_saves() { saves_.clear(); }

 private:
  UndoLog& log_;
  LibraryState now_;
  std::vector<LibraryState> saves_;
};

}  // namespace heddle::interpret
