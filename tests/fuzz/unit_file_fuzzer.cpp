// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hostile unit files: an Error, or a Program that every stage can walk.
//
//   cmake --preset fuzz && ninja -C build/fuzz unit_file_fuzzer
//   mkdir -p /tmp/corpus && build/fuzz/unit_file_fuzzer -max_total_time=600 /tmp/corpus
//
// An input is a unit file without its header; the target puts on the right one, so that the fuzzer gets past the
// checksum. An empty corpus folder gets the columns of small units first. These are not compressed, which makes them
// easy to change.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "program/link/link.h"
#include "program/sample_unit.h"
#include "program/unit/unit_file.h"
#include "program/unit/valid_program.h"

namespace {

namespace fs = std::filesystem;
constexpr std::size_t header_size = 48;

void write_seed(const fs::path& folder, const std::string& name, const heddle::Program& unit) {
  std::ofstream(folder / name, std::ios::binary) << heddle::encode_unit(unit).substr(header_size);
}

void must(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  for (int i = 1; i < *count; ++i) {
    const fs::path folder = (*words)[i];
    if (!fs::is_directory(folder) || !fs::is_empty(folder)) continue;
    write_seed(folder, "empty", heddle::Program());
    write_seed(folder, "sample", heddle::sample_unit());
    heddle::ProgramBuilder b;
    b.function("f", b.void_type(), {}).ret();
    write_seed(folder, "small", b.take());
    break;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(header_size, '\0');
  bytes.append(reinterpret_cast<const char*>(data), size);
  auto unit = heddle::decode_unit(heddle::seal_unit(std::move(bytes)));
  if (!unit) return 0;
  must(heddle::check_program(*unit).has_value());
  const std::string again = heddle::encode_unit(*unit);
  const auto second = heddle::decode_unit(again);
  must(second.has_value() && heddle::encode_unit(*second) == again);
  must(heddle::print(*unit) == heddle::print(*second));
  std::vector<heddle::Program> units;
  units.push_back(std::move(*unit));
  if (const auto linked = heddle::link(std::move(units))) must(heddle::check_program(linked->program).has_value());
  return 0;
}
