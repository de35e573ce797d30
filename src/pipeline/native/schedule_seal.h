// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>

#include "race/schedule.h"

namespace heddle::pipeline {

/// Of the program that a schedule runs and what it is given, with the key of the user: whoever explored it has run it
/// himself. A project may bring a schedule along, and what it names is not run unasked.
std::string seal_of(const race::Schedule& schedule);

}  // namespace heddle::pipeline
