// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SizeBounds: from which size of the work on the static driver gives up precision to come to an end. Every program is
// right for every bound; tests lower them so that small programs take these ways.
#pragma once
#include <cstddef>
#include <cstdint>

namespace heddle::topdown {

struct SizeBounds {
  std::size_t instances = 2048;  ///< functions in contexts, from one state each; below, every state is analysed
  std::uint32_t entries = 4;     ///< of a function, where there are that many: then one state covers all that come
  std::uint64_t growths = 128;   ///< of all such states; then the analysis begins anew, coarsely
  bool coarse = false;           ///< from the beginning: calls share contexts and answers of a round, and forget memory
};

/// Thrown when a bound is reached; caught by analyse_top_down(), which begins anew.
struct TooLarge {};

}  // namespace heddle::topdown
