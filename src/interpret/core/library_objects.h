// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that the C library keeps for the program: errno, the state of strtok and rand, texts that it returns. These
// are ordinary objects, since the program gets their addresses. Most belong to one thread and are made when it first
// asks; which object is meant is a number of the list below.
//
//   *__errno_location()      space.pointer_to(objects.of_thread(library::errno_number, 4))
#pragma once
#include "interpret/core/space.h"

namespace heddle::interpret {

/// Private objects of the library, one per thread.
namespace library {
enum : std::uint32_t {
  errno_number,
  strtok_state,
  random_state,
  ctype_table,
  lower_table,
  upper_table,
  cancel_state,
  cancel_type,
  signal_state,  ///< what threads wait for in pause
  drand48_state,
  first_type = 0x1000,  ///< library/cxx/class_hierarchy.cpp
  first_table = 0x2000,
  first_error_text = 0x3000,  ///< strerror
  first_key = 0x4000,
};
}

class LibraryObjects {
 public:
  LibraryObjects(Memory& memory, Threads& threads, Account& account, Space& space)
      : memory_(memory), threads_(threads), account_(account), space_(space) {}

  /// The running thread's own, zeroed; made on first use.
  ObjectId of_thread(std::uint32_t which, std::uint64_t size);
  /// Of main: what all threads share.
  ObjectId of_main(std::uint32_t which, std::uint64_t size) { return find_or_make(0, which, size); }
  /// A variable of the library that holds this key.
  Slot key(std::uint32_t key);
  Slot make_string(const std::string& text);
  /// A new object that belongs to the thread.
  ObjectId make(std::uint64_t size, ThreadIndex owner);

 private:
  ObjectId find_or_make(ThreadIndex thread, std::uint32_t which, std::uint64_t size);

  Memory& memory_;
  Threads& threads_;
  Account& account_;
  Space& space_;
};

}  // namespace heddle::interpret
