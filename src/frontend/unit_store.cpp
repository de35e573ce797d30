// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/unit_store.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <sstream>

#include "base/machine/failure_words.h"
#include "base/read_file.h"

namespace heddle::frontend {
namespace {

// Changes with what a unit holds, so that units of another heddle are never taken for ours.
constexpr std::string_view capture_version = "capture 3";
constexpr std::string_view files_header = "heddle unit files 4";
// Two writes within the granularity of a file system's clock look like one.
constexpr std::int64_t settled_after = 2'000'000'000;

std::optional<std::string> pack(std::string_view plain, int level) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), level);
  if (ZSTD_isError(size) != 0) return std::nullopt;
  packed.resize(size);
  return packed;
}

/// None for what was not packed, is damaged, or larger than any list of files and any unit.
std::optional<std::string> unpack(std::string_view packed) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 30;
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
    if (auto made = kept::make_folders({folder_, std::string(name + 1) + "/x"}); !made)
      return error(made.error().message +
                   "; captured units are kept there, so it must be a folder that can be written");
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

UnitStore::State UnitStore::state(const std::string& key, FileStates& files) const {
  const auto packed = kept::read_kept(this->files(key));
  if (!packed && packed.error().kind == kept::NotKept::Kind::Refused) {
    files.note_failure(packed.error().code);
    return State::Stale;
  }
  const std::optional<std::string> text = packed ? unpack(*packed) : std::nullopt;
  if (!text) return State::Damaged;
  std::istringstream input(*text);
  std::string line;
  if (!std::getline(input, line) || line != files_header) return State::Stale;
  const auto there = unit_file_identity(unit(key));
  if (!std::getline(input, line) || !there || there->hex() != line) return State::Damaged;
  while (std::getline(input, line)) {
    if (line == "end") return State::Current;
    if (!is_as_listed(line, files)) return State::Stale;
  }
  return State::Damaged;
}

/// Whether a file is what it was when a unit was made of it.
bool UnitStore::is_as_listed(std::string_view line, FileStates& files) {
  const std::string hash = next_field(line);
  std::int64_t began = 0;
  FileStates::State then;
  if (!parse(next_field(line), began) || !parse(next_field(line), then.size) || !parse(next_field(line), then.time) ||
      !parse(next_field(line), then.change) || !parse(next_field(line), then.inode))
    return false;
  const std::string path(line);
  const FileStates::State& now = files.state(path);
  if (!now.exists || now.size != then.size) return false;
  const bool is_as_it_was = now.time == then.time && now.change == then.change && now.inode == then.inode;
  const bool time_tells = is_as_it_was && then.change + settled_after < began;
  return time_tells || files.hash(path).hex() == hash;
}

Result<void> UnitStore::put(const std::string& key, const Program& unit, std::string_view bitcode,
                            const std::vector<ReadFile>& files, std::int64_t began) const {
  if (!bitcode.empty()) {
    const std::optional<std::string> packed = pack(bitcode, 1);
    if (!packed) return error(this->bitcode(key).path() + ": cannot be compressed: out of memory");
    if (auto written = kept::write_kept(this->bitcode(key), *packed); !written) return written;
  }
  if (auto written = write_unit_file(this->unit(key), unit); !written) return written;
  const auto identity = unit_file_identity(this->unit(key));
  if (!identity) return std::unexpected(identity.error());
  std::string text = std::string(files_header) + "\n" + identity->hex() + "\n";
  FileStates now;
  for (const ReadFile& file : files) {
    const FileStates::State& state = now.state(file.path);
    text += file.hash.hex() + " " + std::to_string(began) + " " + std::to_string(state.size) + " " +
            std::to_string(state.time) + " " + std::to_string(state.change) + " " + std::to_string(state.inode) + " " +
            file.path + "\n";
  }
  // The lists would be as large as the units.
  constexpr int level = 12;
  const std::optional<std::string> packed = pack(text + "end\n", level);
  if (!packed) return error(this->files(key).path() + ": cannot be compressed: out of memory");
  return kept::write_kept(this->files(key), *packed);
}

Result<std::string> UnitStore::read_bitcode(const std::string& key) const {
  const auto packed = kept::read_kept(bitcode(key));
  if (!packed) return error(kept::with_mend(packed.error()));
  auto plain = unpack(*packed);
  if (!plain) return error(bitcode(key).path() + ": is damaged; run 'heddle capture' again");
  return std::move(*plain);
}

void UnitStore::forget(const std::string& key) const {
  for (const kept::Place& place : {files(key), unit(key), bitcode(key)}) kept::remove_kept(place);
}

}  // namespace heddle::frontend
