// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <source_location>
#include <stdexcept>
#include <string>

namespace heddle {

/// A bug of ours. Thrown by HEDDLE_CHECK, caught once a function and once a case, never by a library user's input.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void fail_check(const char* condition, const char* why,
                                    std::source_location where = std::source_location::current()) {
  throw InternalError(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " + why + " (" +
                      condition + ")");
}

}  // namespace heddle

/// On in release builds too: a wrong verdict costs more than the comparison.
#define HEDDLE_CHECK(condition, why)         \
  do {                                       \
    if (!(condition)) [[unlikely]]           \
      ::heddle::fail_check(#condition, why); \
  } while (false)
