// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/machine/failure_words.h"

#include <cerrno>
#include <cstring>

namespace heddle {
namespace {

const char* what_to_do(int number) {
  switch (number) {
    case ENOSPC: return "make room there";
    case EDQUOT: return "make room in your quota";
    case EFBIG: return "raise the limit for the size of files: ulimit -f";
    case EMFILE: return "raise the limit for open files: ulimit -n";
    case ENFILE: return "the whole system has too many files open; end something, or wait";
    case EAGAIN: return "raise the limit for processes and threads, ulimit -u, or end some of them";
    case ENOMEM: return "out of memory: end something, or raise the limit, ulimit -v";
    case EIO: return "the disk or its connection is broken; try another one";
    case EROFS: return "work in a folder that can be written";
    default: return nullptr;
  }
}

}  // namespace

std::string failure_words(int number) {
  const std::string words = std::strerror(number);
  const char* advice = what_to_do(number);
  return advice == nullptr ? words : words + " (" + advice + ")";
}

bool is_of_the_machine(int number) { return what_to_do(number) != nullptr; }

}  // namespace heddle
