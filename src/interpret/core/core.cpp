// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/core.h"

namespace heddle::interpret {

Core::Core(const Program& program, MachineOptions given, Chooser& chooser)
    : options(std::move(given)),
      image(program),
      memory(program.layout.pointer_bits, options.max_threads, log),
      threads(options, log),
      syncs(memory, log),
      library(log),
      account(threads, options.input_values != nullptr),
      journal(log, memory, threads, syncs, library, account),
      recorder(options, threads),
      space(image, log, memory, recorder, account),
      choices(options, image, threads, account, chooser),
      heap(options, memory, threads, syncs, recorder, account, choices, space),
      enabling(options, memory, threads, syncs),
      gate(options, memory, threads, syncs, enabling),
      sections(options, threads, journal, recorder, account, enabling, gate),
      frames(options, image, memory, threads, syncs, account, space, recorder),
      objects(memory, threads, account, space),
      files(options, memory, library, account, choices, space, objects) {}

}  // namespace heddle::interpret
