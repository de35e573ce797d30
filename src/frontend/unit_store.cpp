// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/unit_store.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>

#include "base/machine/failure_words.h"
#include "base/read_file.h"
#include "base/write_file.h"

namespace heddle::frontend {
namespace {

// Changes with what a unit holds, so that units of another heddle are never taken for ours.
constexpr std::string_view capture_version = "capture 2";
constexpr std::string_view files_header = "heddle unit files 3";
// Two writes within the granularity of a file system's clock look like one.
constexpr std::int64_t settled_after = 2'000'000'000;

std::optional<std::string> pack(std::string_view plain, int level) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), level);
  if (ZSTD_isError(size) != 0) return std::nullopt;
  packed.resize(size);
  return packed;
}

/// None for what was not packed, is damaged, or larger than any list of files.
std::optional<std::string> unpack(std::string_view packed) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 28;
  const std::uint64_t size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size > largest) return std::nullopt;  // as the two errors are
  std::string plain(size, '\0');
  if (ZSTD_decompress(plain.data(), size, packed.data(), packed.size()) != size) return std::nullopt;
  return plain;
}

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
                     std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec,
                     std::int64_t{found.st_ctim.tv_sec} * 1'000'000'000 + found.st_ctim.tv_nsec,
                     static_cast<std::uint64_t>(found.st_ino)};
  else
    note_failure(errno);
  return entry->second;
}

void FileStates::note_failure(int number) {
  if (is_of_the_machine(number)) failure_ = number;
}

ContentHash FileStates::hash(const std::string& path) {
  const auto [entry, is_new] = hashes_.try_emplace(path);
  if (!is_new) return entry->second;
  errno = 0;
  if (const auto text = read_file(path))
    entry->second = hash_of(*text);
  else
    note_failure(errno);
  return entry->second;
}

Result<void> UnitStore::prepare() const {
  for (const char* name : {"/units", "/bitcode"}) {
    std::error_code failure;
    std::filesystem::create_directories(folder_ + name, failure);
    if (!failure && !std::filesystem::is_directory(folder_ + name, failure) && !failure)
      failure = std::make_error_code(std::errc::not_a_directory);
    if (failure)
      return error(folder_ + name + ": cannot be made: " + failure_words(failure.value()) +
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
  errno = 0;
  const std::optional<std::string> packed = read_file(files_path(key));
  if (!packed) files.note_failure(errno);
  const std::optional<std::string> text = packed ? unpack(*packed) : std::nullopt;
  if (!text) return false;
  std::istringstream input(*text);
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
    if (!parse(next_field(rest), then.size) || !parse(next_field(rest), then.time) ||
        !parse(next_field(rest), then.change) || !parse(next_field(rest), then.inode))
      return false;
    const std::string path(rest);
    const FileStates::State& now = files.state(path);
    if (!now.exists || now.size != then.size) return false;
    const bool is_as_it_was = now.time == then.time && now.change == then.change && now.inode == then.inode;
    const bool time_tells = is_as_it_was && then.change + settled_after < began;
    if (!time_tells && files.hash(path).hex() != hash) return false;
  }
  return has_end;
}

Result<void> UnitStore::put(const std::string& key, const Program& unit, std::string_view bitcode,
                            const std::vector<ReadFile>& files, std::int64_t began) const {
  if (!bitcode.empty()) {
    const std::optional<std::string> packed = pack(bitcode, 1);
    if (!packed) return error(bitcode_path(key) + ": cannot be compressed");
    if (auto written = write_file(bitcode_path(key), *packed); !written) return written;
  }
  if (auto written = write_unit_file(unit_path(key), unit); !written) return written;
  std::error_code failure;
  std::string text = std::string(files_header) + "\n" + std::to_string(began) + " " +
                     std::to_string(std::filesystem::file_size(unit_path(key), failure)) + "\n";
  FileStates now;
  for (const ReadFile& file : files) {
    const FileStates::State& state = now.state(file.path);
    text += file.hash.hex() + " " + std::to_string(state.size) + " " + std::to_string(state.time) + " " +
            std::to_string(state.change) + " " + std::to_string(state.inode) + " " + file.path + "\n";
  }
  // The lists would be as large as the units.
  constexpr int level = 12;
  const std::optional<std::string> packed = pack(text + "end\n", level);
  if (!packed) return error(files_path(key) + ": cannot be compressed");
  return write_file(files_path(key), *packed);
}

void UnitStore::forget(const std::string& key) const {
  for (const std::string& path : {files_path(key), unit_path(key), bitcode_path(key)}) unlink(path.c_str());
}

}  // namespace heddle::frontend
