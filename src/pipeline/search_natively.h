// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One search after the other over the running program, for tests and measurements: nothing is decided.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "explore/launch/answer.h"
#include "pipeline/load.h"

namespace heddle::pipeline {

/// As the driver knows them: SEARCH, EVENTS, …
using DriverSettings = std::map<std::string, std::string>;

struct NativeSearches {
  std::vector<DriverSettings> searches;
  std::vector<std::string> arguments;  ///< of the program
  bool hook_all = false;
};

/// What the driver's task `enumerate` answers to each.
Result<std::vector<explore::DriverAnswer>> search_natively(const Input& input, const NativeSearches& wanted);

}  // namespace heddle::pipeline
