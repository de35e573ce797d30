// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// Lines of source files, read once a file.
class SourceLines {
 public:
  /// Without its line end; empty if the file or the line is not there. Lines count from 1.
  [[nodiscard]] std::string_view line(const std::string& file, std::uint32_t number);
  /// 0 if the file is not there.
  [[nodiscard]] std::uint32_t line_count(const std::string& file);

 private:
  struct Text {
    std::string all;
    std::vector<std::size_t> begins;
  };
  const Text& text_of(const std::string& file);

  std::map<std::string, Text> files_;
};

}  // namespace heddle::report
