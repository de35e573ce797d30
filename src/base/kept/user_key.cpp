// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/kept/user_key.h"
#include "base/machine/failure_words.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/read_file.h"

namespace heddle::kept {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view form = "heddle key 1 ";
constexpr std::size_t digits = 16;  // of half a key

bool fill_randomly(MacKey& key) {
  char* at = reinterpret_cast<char*>(&key);
  for (std::size_t left = sizeof key; left != 0;) {
    const ssize_t got = ::getrandom(at, left, 0);
    if (got < 0 && errno != EINTR) return false;
    if (got <= 0) continue;
    at += got;
    left -= static_cast<std::size_t>(got);
  }
  return true;
}

std::string to_text(const MacKey& key) { return std::string(form) + ContentHash{key.first, key.second}.hex() + "\n"; }

std::optional<MacKey> parse(std::string_view text) {
  if (text.size() != form.size() + 2 * digits + 1 || !text.starts_with(form) || text.back() != '\n')
    return std::nullopt;
  text.remove_prefix(form.size());
  MacKey key;
  for (std::uint64_t* half : {&key.first, &key.second}) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + digits, *half, 16);
    if (failure != std::errc() || end != text.data() + digits) return std::nullopt;
    text.remove_prefix(digits);
  }
  return key;
}

UserKey named(const MacKey& key) { return {key, Mac(key).add("the name of a key").finish().high, {}}; }

/// For this process alone.
UserKey passing(std::string trouble) {
  MacKey key;
  if (!fill_randomly(key)) trouble += "; and the system has no random numbers";
  UserKey out = named(key);
  out.trouble = std::move(trouble);
  return out;
}

/// Empty: nobody else may change it, nor read it unless the user named it.
std::string why_not_believed(const std::string& file, bool is_named) {
  struct stat found{};
  if (::stat(file.c_str(), &found) != 0) return failure_words(errno);
  if (!is_named && found.st_uid != ::geteuid()) return "it belongs to another user";
  const mode_t others = is_named ? S_IWGRP | S_IWOTH : S_IRWXG | S_IRWXO;
  if (S_ISREG(found.st_mode) && (found.st_mode & others) != 0)
    return std::string("others may ") + (is_named ? "write" : "read or write") + " it; say 'chmod 600' to it";
  return {};
}

/// All at once, so that nobody reads half a key; the first of two wins. Empty: there is a key now.
std::string make(const std::string& file) {
  MacKey key;
  if (!fill_randomly(key)) return "the system has no random numbers";
  std::string temporary = file + ".XXXXXX";
  const int made = ::mkostemp(temporary.data(), O_CLOEXEC);  // for the user alone
  if (made < 0) return failure_words(errno);
  const std::string text = to_text(key);
  const bool is_written =
      ::write(made, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(made) == 0;
  std::string why = is_written ? "" : failure_words(errno);
  ::close(made);
  if (is_written && ::link(temporary.c_str(), file.c_str()) != 0 && errno != EEXIST) {
    // A file system without links.
    why = failure_words(errno);
    if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) == 0 || errno == EEXIST)
      why.clear();
  }
  ::unlink(temporary.c_str());
  return why;
}

/// Of the user's own state; empty: he has no place for it.
std::string usual_file() {
  const auto is_path = [](const char* text) { return text != nullptr && *text == '/'; };
  if (const char* state = std::getenv("XDG_STATE_HOME"); is_path(state)) return std::string(state) + "/heddle/key";
  const char* home = std::getenv("HOME");
  if (!is_path(home))
    if (const passwd* user = ::getpwuid(::geteuid()); user != nullptr) home = user->pw_dir;
  return is_path(home) ? std::string(home) + "/.local/state/heddle/key" : "";
}

}  // namespace

UserKey load_user_key(const std::string& file, bool is_named) {
  const auto trouble = [&](const std::string& why) { return passing("'" + file + "': " + why); };
  std::error_code failure;
  if (!fs::exists(file, failure)) {
    if (!is_named) fs::create_directories(fs::path(file).parent_path(), failure);
    if (!is_named && !failure) ::chmod(fs::path(file).parent_path().c_str(), S_IRWXU);
    if (const std::string why = make(file); !why.empty()) return trouble("cannot be made: " + why);
  }
  if (const std::string why = why_not_believed(file, is_named); !why.empty()) return trouble(why);
  const auto text = is_named ? read_given_file(file) : read_file(file);
  if (!text) return trouble(text.error().message);
  const auto key = parse(*text);
  if (!key) return trouble("holds no key of heddle; remove it, and another is made");
  return named(*key);
}

const UserKey& user_key() {
  static const UserKey key = [] {
    if (const char* file = std::getenv("HEDDLE_KEY_FILE"); file != nullptr && *file != '\0')
      return load_user_key(file, true);
    const std::string file = usual_file();
    return file.empty() ? passing("you have no home folder") : load_user_key(file, false);
  }();
  return key;
}

}  // namespace heddle::kept
