// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/unit_store.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <charconv>
#include <filesystem>
#include <fstream>

#include "base/read_file.h"
#include "base/write_file.h"

namespace heddle::frontend {
namespace {

// Changes with what a unit holds, so that units of another heddle are never taken for ours.
constexpr std::string_view capture_version = "capture 1";
constexpr std::string_view files_header = "heddle unit files 1";
// Two writes within the granularity of a file system's clock look like one.
constexpr std::int64_t settled_after = 2'000'000'000;

std::string next_field(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  std::string field(line.substr(0, end));
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

template <class T>
bool parse(const std::string& text, T& out) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), out);
  return failure == std::errc() && end == text.data() + text.size();
}

}  // namespace

ContentHash hash_of(std::string_view content) { return Hasher().add(content).finish(); }

const FileStates::State& FileStates::state(const std::string& path) {
  const auto [entry, is_new] = states_.try_emplace(path);
  if (!is_new) return entry->second;
  struct stat found = {};
  if (stat(path.c_str(), &found) == 0)
    entry->second = {true, static_cast<std::uint64_t>(found.st_size),
                     std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec};
  return entry->second;
}

ContentHash FileStates::hash(const std::string& path) {
  const auto [entry, is_new] = hashes_.try_emplace(path);
  if (!is_new) return entry->second;
  if (const auto text = read_file(path)) entry->second = hash_of(*text);
  return entry->second;
}

Result<void> UnitStore::prepare() const {
  for (const char* name : {"/units", "/bitcode"}) {
    std::error_code failure;
    std::filesystem::create_directories(folder_ + name, failure);
    if (!std::filesystem::is_directory(folder_ + name))
      return error(folder_ + name + ": cannot be made: " + failure.message() +
                   "; captured units are kept there, so choose a folder that can be written");
    if (access((folder_ + name).c_str(), W_OK | X_OK) != 0)
      return error(folder_ + name + ": cannot be written; mend its permissions, or remove it");
  }
  return {};
}

std::string UnitStore::key_of(const ClangCommand& command, const ContentHash& form) {
  Hasher hasher;
  hasher.add(capture_version).add(form.low).add(command.directory);
  for (const std::string& argument : command.arguments) hasher.add(argument);
  return hasher.finish().hex();
}

bool UnitStore::is_current(const std::string& key, FileStates& files) const {
  std::ifstream input(files_path(key));
  std::string line;
  if (!std::getline(input, line) || line != files_header) return false;
  std::int64_t began = 0;
  std::uint64_t unit_size = 0;
  if (!std::getline(input, line)) return false;
  std::string_view rest = line;
  if (!parse(next_field(rest), began) || !parse(next_field(rest), unit_size)) return false;
  std::error_code failure;
  if (std::filesystem::file_size(unit_path(key), failure) != unit_size || failure) return false;
  bool has_end = false;
  while (std::getline(input, line)) {
    if (line == "end") {
      has_end = true;
      break;
    }
    rest = line;
    const std::string hash = next_field(rest);
    FileStates::State then;
    if (!parse(next_field(rest), then.size) || !parse(next_field(rest), then.time)) return false;
    const std::string path(rest);
    const FileStates::State& now = files.state(path);
    if (!now.exists || now.size != then.size) return false;
    const bool time_tells = now.time == then.time && then.time + settled_after < began;
    if (!time_tells && files.hash(path).hex() != hash) return false;
  }
  return has_end;
}

Result<void> UnitStore::put(const std::string& key, const Program& unit, std::string_view bitcode,
                            const std::vector<ReadFile>& files, std::int64_t began) const {
  if (!bitcode.empty()) {
    std::string packed(ZSTD_compressBound(bitcode.size()), '\0');
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bitcode.data(), bitcode.size(), 1);
    if (ZSTD_isError(size) != 0) return error(bitcode_path(key) + ": cannot be compressed");
    packed.resize(size);
    if (auto written = write_file(bitcode_path(key), packed); !written) return written;
  }
  if (auto written = write_unit_file(unit_path(key), unit); !written) return written;
  std::error_code failure;
  std::string text = std::string(files_header) + "\n" + std::to_string(began) + " " +
                     std::to_string(std::filesystem::file_size(unit_path(key), failure)) + "\n";
  FileStates now;
  for (const ReadFile& file : files) {
    const FileStates::State& state = now.state(file.path);
    text +=
        file.hash.hex() + " " + std::to_string(state.size) + " " + std::to_string(state.time) + " " + file.path + "\n";
  }
  return write_file(files_path(key), text + "end\n");
}

void UnitStore::forget(const std::string& key) const {
  for (const std::string& path : {files_path(key), unit_path(key), bitcode_path(key)}) unlink(path.c_str());
}

}  // namespace heddle::frontend
