// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/read_file.h"

#include <fstream>
#include <sstream>

namespace heddle {

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) return std::nullopt;
  return std::move(text).str();
}

}  // namespace heddle
