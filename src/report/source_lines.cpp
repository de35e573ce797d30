// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/source_lines.h"

#include "base/read_file.h"

namespace heddle::report {

const SourceLines::Text& SourceLines::text_of(const std::string& file) {
  const auto [at, is_new] = files_.try_emplace(file);
  Text& text = at->second;
  if (is_new) {
    constexpr std::uint64_t most = std::uint64_t{256} << 20;
    text.all = read_file(file, most).value_or("");
    text.begins.push_back(0);
    for (std::size_t i = 0; i < text.all.size(); ++i)
      if (text.all[i] == '\n') text.begins.push_back(i + 1);
  }
  return text;
}

std::uint32_t SourceLines::line_count(const std::string& file) {
  const Text& text = text_of(file);
  // What stands behind the last line end is a line only if it is not empty.
  return static_cast<std::uint32_t>(text.begins.size() - (text.begins.back() == text.all.size() ? 1 : 0));
}

std::string_view SourceLines::line(const std::string& file, std::uint32_t number) {
  const Text& text = text_of(file);
  if (number == 0 || number > text.begins.size()) return {};
  const std::size_t begin = text.begins[number - 1];
  std::string_view line = std::string_view(text.all).substr(begin);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace heddle::report
