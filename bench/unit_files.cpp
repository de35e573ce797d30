// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unit files against bitcode: size, time to read, memory.
//
//   ninja -C build/release heddle_unit_files_bench
//   build/release/heddle_unit_files_bench FOLDER SOURCE… -- FLAGS…
//
// For every source two files go into FOLDER: the bitcode of `clang-19 -O0 -g -emit-llvm -c FLAGS`, and the unit file,
// which must come back as it was written. Then all bitcode is parsed with LLVM (parseBitcodeFile, one context a file),
// and all unit files are read and linked, five times each; the best processor time of each counts. Reading the linked
// Program from one file is timed, too.
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "program/link/link.h"
#include "program/text/printer.h"
#include "program/unit/unit_file.h"

namespace {

namespace fs = std::filesystem;

double processor_ms() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Work>
double best_of_five(const Work& work) {
  double best = 1e18;
  for (int i = 0; i < 5; ++i) {
    const double start = processor_ms();
    work();
    best = std::min(best, processor_ms() - start);
  }
  return best;
}

std::size_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct Files {
  std::vector<std::string> bitcode, units;
};

std::string print(const heddle::Program& program) {
  std::ostringstream out;
  heddle::print_program(out, program);
  return out.str();
}

bool comes_back(const heddle::Program& unit, const std::string& file) {
  const auto again = heddle::read_unit_file(file);
  return again && print(*again) == print(unit) && heddle::encode_unit(*again) == heddle::encode_unit(unit);
}

bool make_files(const fs::path& folder, const std::vector<std::string>& sources, const std::vector<std::string>& flags,
                Files& out) {
  std::string command_flags;
  for (const std::string& flag : flags) command_flags += " '" + flag + "'";
  double write_ms = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string stem = (folder / std::to_string(i)).string();
    const std::string command =
        "clang-19 -O0 -g -emit-llvm -w -c" + command_flags + " '" + sources[i] + "' -o '" + stem + ".bc'";
    if (!fs::exists(stem + ".bc") && std::system(command.c_str()) != 0) return false;
    if (!fs::exists(stem + ".unit")) {
      const auto unit = heddle::frontend::read_unit({sources[i], flags}, {});
      if (!unit) return std::fprintf(stderr, "%s\n", unit.error().message.c_str()), false;
      const double start = processor_ms();
      if (const auto done = heddle::write_unit_file(stem + ".unit", *unit); !done)
        return std::fprintf(stderr, "%s\n", done.error().message.c_str()), false;
      write_ms += processor_ms() - start;
      if (!comes_back(*unit, stem + ".unit")) return std::fprintf(stderr, "%s: changed on disk\n", stem.c_str()), false;
    }
    out.bitcode.push_back(stem + ".bc");
    out.units.push_back(stem + ".unit");
  }
  std::printf("writing unit files   %10.1f ms\n", write_ms);
  return true;
}

std::size_t size_of(const std::vector<std::string>& files) {
  std::size_t total = 0;
  for (const std::string& file : files) total += fs::file_size(file);
  return total;
}

void parse_bitcode(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    llvm::LLVMContext context;
    const auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer || !llvm::parseBitcodeFile(**buffer, context)) std::abort();
  }
}

std::vector<heddle::Program> read_units(const std::vector<std::string>& files) {
  std::vector<heddle::Program> units;
  for (const std::string& file : files) {
    auto unit = heddle::read_unit_file(file);
    if (!unit) {
      std::fprintf(stderr, "%s\n", unit.error().message.c_str());
      std::exit(2);
    }
    units.push_back(std::move(*unit));
  }
  return units;
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::string> arguments(words + 1, words + count);
  const auto dashes = std::ranges::find(arguments, "--");
  if (arguments.size() < 2) return 2;
  const std::vector<std::string> sources(arguments.begin() + 1, dashes);
  const std::vector<std::string> flags(dashes == arguments.end() ? dashes : dashes + 1, arguments.end());
  fs::create_directories(arguments.front());
  Files files;
  if (!make_files(arguments.front(), sources, flags, files)) return 2;
  const double bitcode = static_cast<double>(size_of(files.bitcode));
  const double units = static_cast<double>(size_of(files.units));
  std::printf("bitcode              %10.0f bytes\nunit files           %10.0f bytes   %.1f %%\n", bitcode, units,
              100 * units / bitcode);
  const double parse = best_of_five([&] { parse_bitcode(files.bitcode); });
  const double read = best_of_five([&] { read_units(files.units); });
  const std::string whole = arguments.front() + "/linked.unit";
  if (const auto linked = heddle::link(read_units(files.units));
      !linked || !heddle::write_unit_file(whole, linked->program))
    return 2;
  const double read_linked = best_of_five([&] { read_units({whole}); });
  const double read_and_link = best_of_five([&] {
    if (!heddle::link(read_units(files.units))) std::abort();
  });
  std::printf(
      "parsing bitcode      %10.1f ms\nreading units        %10.1f ms\nreading and linking  %10.1f ms      %.1f times "
      "faster\n",
      parse, read, read_and_link, parse / read_and_link);
  std::printf("reading linked       %10.1f ms      %.1f times faster, %zu bytes\n", read_linked, parse / read_linked,
              static_cast<std::size_t>(fs::file_size(whole)));
  malloc_trim(0);
  const std::size_t before = heap_bytes();
  const auto linked = heddle::link(read_units(files.units));
  const double bytes = static_cast<double>(heap_bytes() - before);
  std::size_t instructions = 0;
  for (const heddle::Function& f : linked->program.functions) instructions += f.instructions.size();
  std::printf("linked: %zu functions, %zu instructions, %zu conflicts, %.0f bytes of heap, %.1f an instruction\n",
              linked->program.functions.size(), instructions, linked->conflicts.size(), bytes,
              bytes / static_cast<double>(instructions));
  return 0;
}
