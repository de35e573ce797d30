// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/native/runtime_archive.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>

#include "base/read_file.h"

namespace heddle::project {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view magic = "!<arch>\n";
constexpr std::size_t header_size = 60, size_offset = 48, size_width = 10;

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i) out = out << 8 | static_cast<unsigned char>(bytes[i]);
  return out;
}

}  // namespace

Result<std::string> runtime_archive() {
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  for (const char* place : {"libheddle_runtime.a", "../lib/heddle/libheddle_runtime.a"}) {
    const fs::path candidate = (program.parent_path() / place).lexically_normal();
    if (!program.empty() && fs::exists(candidate, failure)) return candidate.string();
  }
  return error("libheddle_runtime.a is neither beside " + program.string() +
               " nor in ../lib/heddle; install it from heddle's build folder (ninja heddle_runtime)");
}

Result<std::vector<std::string>> symbols_of_archive(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return error(path + ": " + bytes.error().message);
  std::string_view rest = *bytes;
  const auto damaged = [&] { return error(path + ": has no index of symbols; make one: ranlib " + path); };
  if (!rest.starts_with(magic) || rest.size() < magic.size() + header_size) return damaged();
  rest.remove_prefix(magic.size());
  std::size_t size = 0;
  const std::string_view digits = rest.substr(size_offset, size_width);
  std::from_chars(digits.data(), digits.data() + digits.size(), size);
  // GNU's form: the first member is called `/`: a count, that many offsets, names that end in zeros.
  if (!rest.starts_with("/ ") || size < 4 || rest.size() < header_size + size) return damaged();
  std::string_view index = rest.substr(header_size, size);
  const std::size_t count = big_endian(index);
  if (index.size() < 4 + count * 4) return damaged();
  index.remove_prefix(4 + count * 4);
  std::vector<std::string> out;
  while (out.size() < count && !index.empty()) {
    const std::size_t end = std::min(index.find('\0'), index.size());
    out.emplace_back(index.substr(0, end));
    index.remove_prefix(std::min(end + 1, index.size()));
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace heddle::project
