// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>

#include "scan/shared/shared_variables.h"

namespace heddle::scan {
namespace {

struct Words {
  std::string_view word, text;
};

/// In the order of the enumerators.
constexpr std::array<Words, 9> rule_words{{
    {"written-global", "a global that is written by its name"},
    {"pointer-to-global", "through the address of a global"},
    {"pointer-in-global", "through a pointer that lies in a global"},
    {"library-state", "state of a library"},
    {"api-parameter", "through a parameter of a function that is called from outside"},
    {"thread-argument", "through the argument of a thread"},
    {"table-parameter", "through a parameter of a function in a table"},
    {"escaped-pointer", "through a pointer that escaped"},
    {"unknown-pointer", "through a pointer that was read from memory"},
}};
constexpr std::array<Words, 6> reason_words{{
    {"only-read", "only read where threads run"},
    {"no-thread", "only main touches it"},
    {"one-at-a-time", "no two threads touch it at the same time"},
    {"thread-local", "each thread has its own"},
    {"alone", "only touched where no other thread runs or can know it"},
    {"unused", "nothing that is reached names it"},
}};

const Words& words_of(SharedRule rule) { return rule_words.at(static_cast<std::size_t>(rule)); }
const Words& words_of(NotShared reason) { return reason_words.at(static_cast<std::size_t>(reason)); }

}  // namespace

std::string_view to_text(SharedRule rule) { return words_of(rule).text; }
std::string_view to_word(SharedRule rule) { return words_of(rule).word; }
std::string_view to_text(NotShared reason) { return words_of(reason).text; }
std::string_view to_word(NotShared reason) { return words_of(reason).word; }

}  // namespace heddle::scan
