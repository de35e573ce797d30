// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <optional>

#include "api/reader/model_reader.h"
#include "base/result.h"
#include "build/compile_database.h"
#include "build/real_compiler.h"
#include "cli/command.h"

namespace heddle::cli {

/// `heddle capture -- BUILD…` watches a build; `heddle capture [-p DIR]` reads a compile_commands.json; alone, where
/// there is none, it captures again what the project's commands name. In any case the
/// project's commands end in `.heddle/commands.json`, itself in that format, and its units in `.heddle/units/`. The
/// exit code is the build's, if it failed; 3 if units failed or commands are missing.
class CaptureCommand : public Command {
 public:
  explicit CaptureCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& build) override;

 private:
  struct Commands {
    build::CompileDatabase database;
    int build_status = 0;       ///< of a build that ran now
    build::AskRules asks = {};  ///< more names are those of the command line and of heddle.toml
    bool was_interrupted = false;
  };

  /// What heddle.toml says, if the user lets it.
  Result<api::CaptureSettings> settings() const;
  Result<Commands> watch(const std::vector<std::string>& build, const std::vector<std::string>& compilers) const;
  Result<Commands> read(const api::CaptureSettings& settings) const;
  Result<Commands> repeat(const std::vector<std::string>& compilers) const;
  Result<Commands> files() const;
  Result<Commands> commands(std::vector<std::string> build) const;
  /// --append, or the earlier capture was not finished.
  [[nodiscard]] bool keeps_earlier() const;
  /// Commands of earlier captures that this one did not see again: all, or those whose objects it linked.
  enum class Earlier { All, Linked };
  Result<void> add_earlier(build::CompileDatabase& database, const std::vector<std::string>& compilers,
                           Earlier which) const;
  void print_summary(const Commands& commands) const;
  ExitCode capture_units(const Commands& commands) const;

  std::string database_path_;  ///< -p
  std::vector<std::string> ir_files_;
  std::string output_;  ///< --database
  std::vector<std::string> compilers_;
  std::vector<std::string> query_drivers_;
  bool trust_ = false;
  bool record_ = false;
  bool append_ = false;
  bool fresh_ = false;
  bool print_clang_ = false;
  bool commands_only_ = false;
  bool no_bitcode_ = false;
  unsigned jobs_ = 0;  ///< 0: one per core
  unsigned unit_seconds_ = 900;
  std::string unit_memory_;  ///< --memory-limit; empty: none
};

}  // namespace heddle::cli
