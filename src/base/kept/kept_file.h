// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that heddle keeps for its next run, below `.heddle/`. A project may bring such a folder along, so nothing
// in it is believed that this user's heddle did not put there, and nothing is written through it to somewhere else.
//
//   write_kept({".heddle", "project.json"}, text);        text and its seal, atomically: temporary file, fsync, rename
//   auto text = read_kept({".heddle", "project.json"});   the same text, or why it is not believed
//
// A seal is the last line of a file: `heddle seal 1 NAME-OF-KEY MAC`. The MAC is over the file's own name and its
// content, with the key of the user (user_key.h). A file with a seal of its own (unit_file.h) is written as it is.
//
// The folder and everything below it is opened without following links; FIFOs and devices are refused.
#pragma once
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/content_hash.h"
#include "base/result.h"

namespace heddle::kept {

/// A file of a folder, or of a folder in it: {".heddle", "units/ab12.unit"}.
struct Place {
  std::string folder;
  std::string name;
  Place(std::string folder, std::string name) : folder(std::move(folder)), name(std::move(name)) {}
  Place(const std::string& path);  // NOLINT(google-explicit-constructor): the folder it is in, and its name there
  [[nodiscard]] std::string path() const { return folder.empty() ? name : folder + "/" + name; }
};

/// A descriptor that is closed with it; none: -1.
class Handle {
 public:
  explicit Handle(int file = -1) : file_(file) {}
  Handle(Handle&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Handle();
  [[nodiscard]] int get() const { return file_; }
  [[nodiscard]] bool is_open() const { return file_ >= 0; }

 private:
  int file_;
};

/// Why there is no content.
struct NotKept {
  enum class Kind : std::uint8_t {
    Missing,  ///< there is no such file
    Damaged,  ///< it was ours and has changed, or is no file
    Refused,  ///< the system does not let us read it: it may be as it should be
    Foreign,  ///< another key sealed it, or none
  };
  Kind kind = Kind::Missing;
  std::string message;  ///< begins with the path, says nothing of what to do
  int code = 0;         ///< Refused: of errno
};

/// The message and what to do: capture again; or name the key of whoever made it.
std::string with_mend(const NotKept& what);

/// Seals with fsync, so that a crash of the machine costs nothing; or without: the seal will show it.
enum class Durability : std::uint8_t { Synced, Passing };

std::expected<std::string, NotKept> read_kept(const Place& place);
Result<void> write_kept(const Place& place, std::string_view content, Durability durability = Durability::Synced);
/// The same, but a file that has that content already is left alone: waiting for the disk is most of what writing
/// costs.
Result<void> update_kept(const Place& place, std::string_view content);

/// Bytes that carry a seal of their own, or that others read, too.
Result<void> write_unsealed(const Place& place, std::string_view bytes);
/// A plain file, for reading.
std::expected<Handle, NotKept> open_kept(const Place& place);

/// The name of the key and the MAC over a content of that name.
struct Seal {
  std::uint64_t key_name = 0;
  ContentHash mac;
  friend bool operator==(const Seal&, const Seal&) = default;
};
Seal seal_of(std::string_view name, std::string_view content);
/// The one that a file ends with, right or wrong; none: it has none.
std::optional<Seal> seal_at(const Place& place);
/// Whether it is that of our key; else the file is foreign, whatever its content.
bool is_own_key(const Seal& seal);
/// "PATH: was not made by you …" and "PATH: is damaged".
NotKept foreign(const std::string& path);
NotKept damaged(const std::string& path);

/// Makes the folder, and that of the name, if they are not there.
Result<void> make_folders(const Place& place);
/// Opened for locking, made if need be.
Result<Handle> open_lock(const Place& place);
/// One file; a link is removed, not what it leads to.
void remove_kept(const Place& place);
/// What runs that were killed left of their temporary files.
void remove_leftovers(const std::string& folder);
/// Everything that heddle keeps there: the next run begins from nothing.
void remove_everything(const std::string& folder);

}  // namespace heddle::kept
