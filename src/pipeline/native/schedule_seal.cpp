// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/native/schedule_seal.h"

#include "base/kept/kept_file.h"

namespace heddle::pipeline {

std::string seal_of(const race::Schedule& schedule) {
  std::string text = schedule.program + '\0' + schedule.input;
  for (const std::string& argument : schedule.arguments) text += '\0' + argument;
  return kept::seal_of("schedule", text).mac.hex();
}

}  // namespace heddle::pipeline
