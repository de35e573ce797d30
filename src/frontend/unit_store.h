// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The captured units of a project, each cached by content:
//
//   .heddle/units/ab12….unit      the Program of one unit (program/unit/unit_file.h)
//   .heddle/units/ab12….files     which Program that is, and what it was read from: path, size, times, inode and hash
//                                 of every file, packed; written last
//   .heddle/bitcode/ab12….bc.zst  the same unit for instrumentation, compressed
//
// All three are sealed (base/kept/kept_file.h): what another user or the project itself put there is not believed.
//
// A unit's key is a hash of the form of our files and of the command our clang runs; it holds as long as all its files
// have the content they had. A file whose size, both times and inode are as they were counts as unchanged, unless it
// was written so shortly before it was read that its time cannot tell. Not noticed: a new header that would be found
// before one that was used.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/content_hash.h"
#include "base/result.h"
#include "frontend/clang/clang_command.h"
#include "frontend/clang/unit_input.h"
#include "program/model/program.h"
#include "program/unit/unit_file.h"

namespace heddle::frontend {

/// What lies on disk now. Each file is looked at once in the life of this object.
class FileStates {
 public:
  struct State {
    bool exists = false;
    std::uint64_t size = 0;
    std::int64_t time = 0;    ///< of the last change that its owner admits, in nanoseconds
    std::int64_t change = 0;  ///< of the last change that the file system saw
    std::uint64_t inode = 0;
  };
  const State& state(const std::string& path);
  /// Of the content; a file that cannot be read has none of ours.
  ContentHash hash(const std::string& path);
  /// errno of the last file that is there and that the system did not let us look at; 0: there was none.
  [[nodiscard]] int failure() const { return failure_; }
  void note_failure(int number);

 private:
  int failure_ = 0;
  std::unordered_map<std::string, State> states_;
  std::unordered_map<std::string, ContentHash> hashes_;
};

class UnitStore {
 public:
  explicit UnitStore(std::string folder) : folder_(std::move(folder)) {}

  /// Makes the folders. An error says what is in the way.
  [[nodiscard]] Result<void> prepare() const;

  /// `form`: of the files that will hold it.
  static std::string key_of(const ClangCommand& command, const ContentHash& form = unit_form());
  [[nodiscard]] kept::Place unit(const std::string& key) const { return {folder_, "units/" + key + ".unit"}; }
  [[nodiscard]] kept::Place bitcode(const std::string& key) const { return {folder_, "bitcode/" + key + ".bc.zst"}; }

  enum class State : std::uint8_t {
    Current,  ///< there, and would come out the same
    Stale,    ///< its sources have changed, or another heddle made it, or the system hides what it was made of
    Damaged,  ///< its files are not those that were put there
  };
  [[nodiscard]] State state(const std::string& key, FileStates& files) const;
  /// The file list goes last: a unit without one does not exist. `began`: when reading began, in nanoseconds of the
  /// system's clock.
  [[nodiscard]] Result<void> put(const std::string& key, const Program& unit, std::string_view bitcode,
                                 const std::vector<ReadFile>& files, std::int64_t began) const;
  /// As it was put there. An error: there is none, or it is not ours.
  [[nodiscard]] Result<std::string> read_bitcode(const std::string& key) const;
  /// The unit must be captured again.
  void forget(const std::string& key) const;

 private:
  [[nodiscard]] static bool is_as_listed(std::string_view line, FileStates& files);
  [[nodiscard]] kept::Place files(const std::string& key) const { return {folder_, "units/" + key + ".files"}; }

  std::string folder_;
};

}  // namespace heddle::frontend
