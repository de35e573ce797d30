// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <string_view>

namespace heddle {

/// The digest of FIPS 180-4 in hexadecimal, for formats that name files by it. Contents of our own are named by
/// ContentHash.
std::string sha256_hex(std::string_view bytes);

}  // namespace heddle
