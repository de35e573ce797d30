// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Globals that threads may tell each other something by: plain numbers and semaphores that start at zero, whose address
// goes nowhere else, with every place where they are used.
//
//   int ready; … ready = 1; … if (ready)           a tell and a read
//   sem_t s; … sem_post(&s); … sem_wait(&s);       a tell and a wait
//
// Whether the places order what lies around them is not asked here: scan/reach/signals.h. One walk over the program.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "api/effect.h"
#include "program/model/program.h"

namespace heddle::threads {

struct CodePlace {
  FunctionId function;
  std::uint32_t instruction = 0;
  friend auto operator<=>(const CodePlace&, const CodePlace&) = default;
};

struct SignalVariable {
  std::vector<CodePlace> tells;             ///< writes, and posts
  std::map<CodePlace, std::int64_t> reads;  ///< of a number, with its value when the program begins
  std::vector<CodePlace> waits;             ///< of a semaphore
};

/// `models` by FunctionId.
[[nodiscard]] std::vector<SignalVariable> find_signal_variables(const Program& program,
                                                                const std::vector<const api::Model*>& models);

}  // namespace heddle::threads
