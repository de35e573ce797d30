// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <string_view>

namespace heddle {

/// Text in which symbols of C++ stand as the source writes them: `call of '_ZN4Pool3putEi'` becomes
/// `call of 'Pool::put(int)'`. What is no such symbol stays.
std::string with_demangled_symbols(std::string_view text);

}  // namespace heddle
