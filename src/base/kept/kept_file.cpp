// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/kept/kept_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <optional>
#include <vector>

#include "base/kept/user_key.h"
#include "base/machine/failure_words.h"
#include "base/write_file.h"

namespace heddle::kept {
namespace {

constexpr std::string_view seal_form = "heddle seal 1 ";
constexpr std::size_t word_digits = 16;
constexpr std::size_t seal_size = seal_form.size() + word_digits + 1 + 2 * word_digits + 1;
constexpr std::string_view temporary_end = ".tmp";
constexpr std::size_t random_letters = 6;
/// Folders below a project's own.
constexpr std::array folders = {"", "units", "bitcode", "linked", "summaries"};

std::string hex(std::uint64_t word) { return ContentHash{word, 0}.hex().substr(0, word_digits); }

std::string line_of(const Seal& seal) {
  return std::string(seal_form) + hex(seal.key_name) + " " + seal.mac.hex() + "\n";
}

std::optional<std::uint64_t> word_of(std::string_view digits) {
  std::uint64_t word = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), word, 16);
  if (failure != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return word;
}

std::optional<Seal> seal_in(std::string_view line) {
  if (line.size() != seal_size) return std::nullopt;
  const std::string_view words = line.substr(seal_form.size());
  const auto name = word_of(words.substr(0, word_digits));
  const auto high = word_of(words.substr(word_digits + 1, word_digits));
  const auto low = word_of(words.substr(2 * word_digits + 1, word_digits));
  if (!name || !high || !low) return std::nullopt;
  const Seal seal{*name, {*high, *low}};
  if (line_of(seal) != line) return std::nullopt;  // there is one way to write it
  return seal;
}

std::size_t size_of(int file) {
  struct stat found{};
  return ::fstat(file, &found) == 0 && found.st_size > 0 ? static_cast<std::size_t>(found.st_size) : 0;
}

/// How much of it is there; errno says why it is not all, 0: the file ends.
std::size_t read_at(int file, char* to, std::size_t wanted, std::size_t from) {
  std::size_t at = 0;
  errno = 0;
  while (at < wanted) {
    const ssize_t got = ::pread(file, to + at, wanted - at, static_cast<off_t>(from + at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    at += static_cast<std::size_t>(got);
  }
  return at;
}

/// As read_at() says, if it is none.
std::optional<Seal> last_seal(int file, std::size_t size) {
  std::array<char, seal_size> last{};
  errno = 0;
  if (size < seal_size || read_at(file, last.data(), seal_size, size - seal_size) != seal_size) return std::nullopt;
  return seal_in({last.data(), last.size()});
}

std::string own_name(const std::string& name) { return name.substr(name.rfind('/') + 1); }

bool is_link_at(int folder, const std::string& name) {
  struct stat found{};
  return ::fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode);
}

std::string link_word(const std::string& path) {
  return path +
         ": is a link, and none is followed here, because a project can bring one along; remove it. To keep a project "
         "in another place, run heddle in a folder there";
}

struct Failure {
  int code = 0;
  std::string message;  ///< with the path
};

/// A folder, without following a link that it may be.
std::expected<Handle, Failure> open_folder(int in, const std::string& name, const std::string& path, bool makes) {
  constexpr int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int folder = ::openat(in, name.c_str(), how);
  if (folder < 0 && errno == ENOENT && makes && (::mkdirat(in, name.c_str(), 0777) == 0 || errno == EEXIST))
    folder = ::openat(in, name.c_str(), how);
  if (folder >= 0) return Handle(folder);
  const int code = errno;
  if (is_link_at(in, name)) return std::unexpected(Failure{ELOOP, link_word(path)});
  return std::unexpected(Failure{code, path + ": " + failure_words(code)});
}

/// The folder that a place's file is in.
std::expected<Handle, Failure> folder_of(const Place& place, bool makes = false) {
  std::string path = place.folder.empty() ? "." : place.folder;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  auto folder = open_folder(AT_FDCWD, path, path, makes);
  std::size_t begin = 0;
  while (folder) {
    const std::size_t end = place.name.find('/', begin);
    if (end == std::string::npos) break;
    const std::string part = place.name.substr(begin, end - begin);
    path += "/" + part;
    auto inner = open_folder(folder->get(), part, path, makes);
    folder = std::move(inner);
    begin = end + 1;
  }
  return folder;
}

NotKept not_kept(const Failure& failure) {
  const bool is_missing = failure.code == ENOENT || failure.code == ENOTDIR;
  const auto kind = is_missing                        ? NotKept::Kind::Missing
                    : is_of_the_machine(failure.code) ? NotKept::Kind::Refused
                                                      : NotKept::Kind::Damaged;
  return {kind, failure.message, failure.code};
}

/// `NAME.a1b2c3.tmp`: nobody can foresee it, and everybody sees whose it is.
std::string temporary_name(const std::string& name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz012345";
  std::array<unsigned char, random_letters> random{};
  while (::getrandom(random.data(), random.size(), 0) < 0 && errno == EINTR) {
  }
  std::string out = name + ".";
  for (const unsigned char byte : random) out += letters[byte % letters.size()];
  return out + std::string(temporary_end);
}

bool is_temporary(std::string_view name) {
  if (!name.ends_with(temporary_end)) return false;
  name.remove_suffix(temporary_end.size());
  const std::size_t dot = name.rfind('.');
  return dot != std::string_view::npos && dot != 0 && name.size() - dot - 1 == random_letters &&
         std::ranges::all_of(name.substr(dot + 1), [](unsigned char c) { return std::isalnum(c) != 0; });
}

/// Atomically: a reader sees the old file, the new file or none.
Result<void> write_parts(const Place& place, std::initializer_list<std::string_view> parts, Durability durability) {
  const auto failed = [&](const std::string& why) {
    return error(place.path() + ": error: cannot be written: " + why);
  };
  const auto folder = folder_of(place);
  if (!folder) return error(folder.error().message);
  const std::string name = own_name(place.name);
  int file = -1;
  std::string temporary;
  for (int tries = 0; file < 0 && tries < 100; ++tries) {
    temporary = temporary_name(name);
    file = ::openat(folder->get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) return failed(failure_words(errno));
  }
  if (file < 0) return failed("no temporary name is free");
  ::flock(file, LOCK_EX | LOCK_NB);  // so that nobody takes it for a leftover
  bool is_written = std::ranges::all_of(parts, [&](std::string_view part) { return write_all(file, part); });
  if (is_written && durability == Durability::Synced) is_written = ::fsync(file) == 0;
  std::string why = is_written ? "" : failure_words(errno);
  if (is_written && ::renameat(folder->get(), temporary.c_str(), folder->get(), name.c_str()) != 0) {
    is_written = false;
    why = failure_words(errno);
  }
  ::close(file);
  if (is_written) return {};
  ::unlinkat(folder->get(), temporary.c_str(), 0);
  return failed(why);
}

/// Of all entries of a folder; those that `is_wanted` are removed, whatever they lead to. Folders stay.
template <class Test>
void remove_files(const std::string& folder, const std::string& inner, Test is_wanted) {
  const auto opened = folder_of({folder, inner.empty() ? "x" : inner + "/x"});
  if (!opened) return;
  const int copy = ::fcntl(opened->get(), F_DUPFD_CLOEXEC, 0);
  DIR* entries = copy < 0 ? nullptr : ::fdopendir(copy);
  if (entries == nullptr) return;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries)) names.emplace_back(entry->d_name);
  for (const std::string& name : names)
    if (is_wanted(opened->get(), name)) ::unlinkat(opened->get(), name.c_str(), 0);
  ::closedir(entries);
}

/// Of a run that is over: nobody holds it, and it is not just being made.
bool is_leftover(int folder, const std::string& name) {
  if (!is_temporary(name)) return false;
  constexpr std::time_t young = 60;
  const Handle file(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found{};
  return file.is_open() && ::fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode) &&
         found.st_mtim.tv_sec + young < std::time(nullptr) && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

bool is_ours(std::string_view folder, std::string_view name) {
  constexpr std::array top = {"commands.json", "commands.seal",  "project.json",
                              "links.json",    "compilers.json", "last-report"};
  if (folder.empty()) return std::ranges::find(top, name) != top.end();
  if (folder == "summaries") return name == "records" || name == "seal";
  return std::ranges::any_of(std::array{".unit", ".files", ".bc.zst", ".json"},
                             [&](const char* end) { return name.ends_with(end); });
}

}  // namespace

Handle::~Handle() {
  if (file_ >= 0) ::close(file_);
}

Place::Place(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  name = slash == std::string::npos ? path : path.substr(slash + 1);
}

Seal seal_of(std::string_view name, std::string_view content) {
  const UserKey& user = user_key();
  return {user.name, Mac(user.key).add(name).add(content).finish()};
}

bool is_own_key(const Seal& seal) { return seal.key_name == user_key().name; }

NotKept foreign(const std::string& path) {
  const std::string& trouble = user_key().trouble;
  return {NotKept::Kind::Foreign,
          path + (trouble.empty() ? ": was not made by you with this heddle, so it is not believed"
                                  : ": is not believed, because the key that tells it from others' files cannot be "
                                    "kept (" +
                                        trouble + ")")};
}

NotKept damaged(const std::string& path) { return {NotKept::Kind::Damaged, path + ": is damaged"}; }

std::string with_mend(const NotKept& what) {
  if (what.kind == NotKept::Kind::Refused) return what.message;
  if (what.kind != NotKept::Kind::Foreign) return what.message + "; run 'heddle capture' again";
  const bool has_key = user_key().trouble.empty();
  return what.message + (has_key ? "; run 'heddle capture' again, or name the key of whoever made it with "
                                   "HEDDLE_KEY_FILE"
                                 : "; name a file for the key with HEDDLE_KEY_FILE and run 'heddle capture' again");
}

std::expected<Handle, NotKept> open_kept(const Place& place) {
  const auto folder = folder_of(place);
  if (!folder) return std::unexpected(not_kept(folder.error()));
  const std::string name = own_name(place.name);
  Handle file(::openat(folder->get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.is_open()) {
    const int code = errno;
    if (is_link_at(folder->get(), name)) return std::unexpected(not_kept({ELOOP, link_word(place.path())}));
    return std::unexpected(not_kept({code, place.path() + ": cannot be read: " + failure_words(code)}));
  }
  struct stat found{};
  if (::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode))
    return std::unexpected(NotKept{NotKept::Kind::Damaged, place.path() + ": is not a file"});
  return file;
}

std::optional<Seal> seal_at(const Place& place) {
  const auto file = open_kept(place);
  return file ? last_seal(file->get(), size_of(file->get())) : std::nullopt;
}

std::expected<std::string, NotKept> read_kept(const Place& place) {
  const auto file = open_kept(place);
  if (!file) return std::unexpected(file.error());
  const std::size_t size = size_of(file->get());
  // The seal first: a file of somebody else costs no memory, however large it is.
  const auto refused = [&](int code) {
    return std::unexpected(not_kept({code, place.path() + ": cannot be read: " + failure_words(code)}));
  };
  const auto seal = last_seal(file->get(), size);
  if (!seal && errno != 0) return refused(errno);
  if (!seal || !is_own_key(*seal)) return std::unexpected(foreign(place.path()));
  std::string content;
  content.resize_and_overwrite(size - seal_size,
                               [&](char* to, std::size_t wanted) { return read_at(file->get(), to, wanted, 0); });
  if (content.size() != size - seal_size && errno != 0) return refused(errno);
  if (seal_of(own_name(place.name), content) != *seal) return std::unexpected(damaged(place.path()));
  return content;
}

Result<void> write_kept(const Place& place, std::string_view content, Durability durability) {
  return write_parts(place, {content, line_of(seal_of(own_name(place.name), content))}, durability);
}

Result<void> update_kept(const Place& place, std::string_view content) {
  if (const auto there = read_kept(place); there && *there == content) return {};
  return write_kept(place, content);
}

Result<void> write_unsealed(const Place& place, std::string_view bytes) {
  return write_parts(place, {bytes}, Durability::Synced);
}

Result<void> make_folders(const Place& place) {
  const auto folder = folder_of(place, true);
  if (!folder) return error(folder.error().message);
  return {};
}

Result<Handle> open_lock(const Place& place) {
  const auto folder = folder_of(place);
  if (!folder) return error(folder.error().message);
  const std::string name = own_name(place.name);
  constexpr int how = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  Handle lock(::openat(folder->get(), name.c_str(), O_RDWR | O_CREAT | how, 0666));
  if (!lock.is_open()) lock = Handle(::openat(folder->get(), name.c_str(), O_RDONLY | how));
  if (!lock.is_open() && is_link_at(folder->get(), name)) return error(link_word(place.path()));
  if (!lock.is_open()) return error(place.path() + ": " + failure_words(errno));
  return lock;
}

void remove_kept(const Place& place) {
  if (const auto folder = folder_of(place)) ::unlinkat(folder->get(), own_name(place.name).c_str(), 0);
}

void remove_leftovers(const std::string& folder) {
  for (const char* inner : folders) remove_files(folder, inner, is_leftover);
}

void remove_everything(const std::string& folder) {
  for (const std::string inner : folders)
    remove_files(folder, inner, [&](int, const std::string& name) { return is_ours(inner, name); });
}

}  // namespace heddle::kept
