// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A project's compile commands, from compile_commands.json: what CMake, meson, bear, ninja -t compdb, the kernel's
// gen_compile_commands.py and heddle itself write.
//
//   [{"directory": "/p/build", "command": "gcc -I../inc -c ../a.c -o a.o", "file": "../a.c"}, …]
//
// Both forms, `command` (a line of the shell) and `arguments`; relative folders mean the folder of the file. Launchers
// are taken off, response files put in, equal entries kept once. One source with several sets of flags stays several
// units. What is no C or C++ compilation is left out and counted in the notes. The file is read as a stream: memory is
// that of the result. A database without one command is an error.
#pragma once
#include <istream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/content_hash.h"
#include "base/result.h"
#include "build/compile_command.h"
#include "build/link_steps.h"
#include "host/shell_words.h"

namespace heddle::build {

/// In place of a build's exit status: the build ended well, but not all of its commands are known.
constexpr int incomplete_log = -1;

struct CompileDatabase {
  std::vector<CompileCommand> commands;
  std::vector<std::string> notes;  ///< what was left out and why, a line each
  std::size_t skipped = 0;  ///< files that were compiled and left out: assembly, other languages, files that are gone
  std::vector<LinkStep> links;  ///< of a build that was watched
  int build_status = 0;         ///< its exit status, or incomplete_log; not 0: commands are missing
};

/// A file, or a folder: then its compile_commands.json, or the one in its build folder (build, builddir, out, …).
Result<std::string> find_compile_commands(const std::string& path_or_folder);

/// The same, and then in the folders above.
Result<std::string> find_compile_commands_upward(const std::string& folder);

Result<CompileDatabase> read_compile_commands(const std::string& path_or_folder,
                                              const std::vector<std::string>& more_compilers = {});

/// `name` is for messages, `folder` what relative directories mean.
Result<CompileDatabase> read_compile_commands(std::istream& input, const std::string& name, const std::string& folder,
                                              const std::vector<std::string>& more_compilers);

/// By source, output and arguments: what a parallel build happened to begin first must not matter.
void sort_commands(CompileDatabase& database);

/// In the same format, atomically (temporary file, rename).
Result<void> write_compile_commands(const std::string& path, const CompileDatabase& database);

/// `commands.json` of a captured project, for others to read, and its seal, in `commands.seal`. What others wrote there
/// is not read.
Result<void> keep_compile_commands(const std::string& folder, const CompileDatabase& database);
Result<CompileDatabase> kept_compile_commands(const std::string& folder,
                                              const std::vector<std::string>& more_compilers = {});

/// Makes a database out of raw calls, whoever saw them.
class DatabaseBuilder {
 public:
  explicit DatabaseBuilder(std::vector<std::string> more_compilers) : more_compilers_(std::move(more_compilers)) {}

  /// One call, as it was typed. `file`: only this source is meant (empty: all of them). `output`: if the arguments do
  /// not say it.
  void add(std::string directory, std::vector<std::string> words, const std::string& file, const std::string& output,
           const host::ResponseReader& response_files);
  /// A call of an archiver.
  void add_archive(const std::string& directory, std::vector<std::string> words,
                   const host::ResponseReader& response_files);
  /// Counts something that was left out: "3 × configure checks".
  void leave_out(const std::string& what) { ++left_out_[what]; }
  void note(std::string text) { notes_.push_back(std::move(text)); }
  /// A source of a probe (conftest.c, CMakeScratch …), which a build compiles to look at the compiler.
  void leave_out_probes() { leaves_out_probes_ = true; }

  [[nodiscard]] std::size_t calls() const { return calls_; }
  CompileDatabase finish();

 private:
  void add_input(const std::string& directory, const std::vector<std::string>& arguments, std::size_t index,
                 const std::vector<std::size_t>& other_inputs, const std::string& output);

  std::vector<std::string> more_compilers_;
  CompileDatabase database_;
  std::set<ContentHash> seen_;
  std::map<std::string, std::size_t> units_;  ///< of each source
  std::map<std::string, std::size_t> left_out_;
  std::vector<std::string> notes_;
  std::size_t calls_ = 0;
  bool leaves_out_probes_ = false;
};

/// Is this a file that configure scripts, CMake and meson compile only to see whether it compiles?
bool is_probe(const std::string& path);

}  // namespace heddle::build
