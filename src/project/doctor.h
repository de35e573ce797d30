// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a capture needs from the machine and the project, tried one by one: does it work here, and if not, what to do.
//
//   ok       C headers: <pthread.h> is read
//   missing  32-bit headers: gnu/stubs-32.h …; apt-get install libc6-dev-i386
#pragma once
#include <string>
#include <vector>

namespace heddle::project {

struct Finding {
  enum class State { Ok, Optional /* missing, and only some need it */, Missing };
  State state = State::Ok;
  std::string what;
  std::string detail;
  std::string mend;  ///< what to do, for what is missing
};

/// The machine: clang's headers, C and C++ headers, 32-bit headers, a compiler, /proc, the watching of builds, and
/// whether `folder` (where .heddle/ would be) has room and can be written to. Writes nothing that stays.
std::vector<Finding> examine_machine(const std::string& folder);

/// A compile_commands.json: can it be read, how many of its sources are there, which compilers are not.
std::vector<Finding> examine_database(const std::string& path_or_folder);

}  // namespace heddle::project
