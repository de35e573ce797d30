// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::project {

/// ThreadSanitizer's library of the clang that heddle is built with, for a link. Not by -fsanitize=thread, which would
/// put it in front of our runtime: both define pthread_create and the like, and ours calls those of ThreadSanitizer. An
/// error: it is not installed.
Result<std::vector<std::string>> tsan_link_words();

}  // namespace heddle::project
