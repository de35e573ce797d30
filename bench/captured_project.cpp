// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a captured project holds and what it costs to have it in memory, as one line of JSON:
//
//   ninja -C build/release heddle_captured_project_bench
//   build/release/heddle_captured_project_bench PROJECT/.heddle
//
// Every unit file is read and all are linked; the linked Program is written and read as one file; then the bitcode that
// was kept of the same units is unpacked and parsed with LLVM (parseBitcodeFile, one context a unit; unpacking is not
// counted). Times are processor time, one run each.
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <malloc.h>
#include <sys/resource.h>
#include <zstd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "frontend/unit_store.h"
#include "program/link/link.h"
#include "program/unit/unit_file.h"
#include "project/project_file.h"

namespace {

double processor_ms() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::size_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

template <class T>
T must(heddle::Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::exit(2);
}

std::string unpacked(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(file), {}};
  const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) return {};
  std::string out(size, '\0');
  const std::size_t got = ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size());
  return ZSTD_isError(got) != 0 ? std::string() : out;
}

double parse_ms(const std::string& bitcode) {
  const double start = processor_ms();
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "kept"), context);
  if (!module) {
    llvm::consumeError(module.takeError());
    std::fprintf(stderr, "kept bitcode cannot be parsed\n");
    std::exit(2);
  }
  return processor_ms() - start;
}

/// Sources that are compiled twice with the same outcome count once, as they do when the project is loaded.
std::vector<std::string> different_units(const heddle::project::ProjectFile& project,
                                         const heddle::frontend::UnitStore& store) {
  std::vector<std::string> keys;
  std::set<heddle::ContentHash> seen;
  heddle::frontend::FileStates files;
  for (const auto& unit : project.units)
    if (seen.insert(files.hash(store.unit(unit.key).path())).second) keys.push_back(unit.key);
  return keys;
}

long peak_kilobytes() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return std::fprintf(stderr, "usage: %s PROJECT/.heddle\n", words[0]), 2;
  const heddle::frontend::UnitStore store(words[1]);
  const auto project = must(heddle::project::read_project_file(words[1]));
  const std::vector<std::string> keys = different_units(project, store);
  const std::size_t before = heap_bytes();
  double start = processor_ms();
  std::vector<heddle::Program> units;
  for (const std::string& key : keys) units.push_back(must(heddle::read_unit_file(store.unit(key))));
  const double read = processor_ms() - start;
  start = processor_ms();
  const heddle::Linked linked = must(heddle::link(std::move(units)));
  const double link = processor_ms() - start;
  malloc_trim(0);
  const std::size_t heap = heap_bytes() - before;
  const std::string bytes = heddle::encode_unit(linked.program);
  start = processor_ms();
  must(heddle::decode_unit(bytes));
  const double whole = processor_ms() - start;
  const long peak = peak_kilobytes();
  std::size_t functions = 0;
  std::size_t instructions = 0;
  for (const heddle::Function& function : linked.program.functions) {
    functions += function.instructions.empty() ? 0 : 1;
    instructions += function.instructions.size();
  }
  double parse = 0;
  std::size_t bitcode = 0;
  std::size_t unit_files = 0;
  for (const std::string& key : keys) {
    const std::string kept = unpacked(heddle::kept::read_kept(store.bitcode(key)).value_or(""));
    if (kept.empty()) continue;
    bitcode += kept.size();
    unit_files += std::filesystem::file_size(store.unit(key).path());
    parse += parse_ms(kept);
  }
  std::printf(
      "{\"units\": %zu, \"functions\": %zu, \"instructions\": %zu, \"conflicts\": %zu, \"read_ms\": %.1f, \"link_ms\": "
      "%.1f, "
      "\"linked_bytes\": %zu, \"read_linked_ms\": %.1f, "
      "\"heap_bytes\": %zu, \"peak_kb\": %ld, \"unit_bytes\": %zu, \"bitcode_bytes\": %zu, \"parse_ms\": %.1f}\n",
      keys.size(), functions, instructions, linked.conflicts.size(), read, link, bytes.size(), whole, heap, peak,
      unit_files, bitcode, parse);
  return 0;
}
