// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command of the program: it declares its arguments on a CLI11 subcommand when it is made, and runs when it was the
// one chosen. Commands hold no analysis: they turn arguments into pipeline options and results into text.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace heddle::cli {

/// What the caller of the program can rely on; documented in README.md.
enum class ExitCode : int {
  Fine = 0,  ///< no race found
  Races = 1,
  BadInput = 2,    ///< bad usage or bad input; nothing was concluded
  Incomplete = 3,  ///< no verdict was reached, or a bug of ours
};

class Command {
 public:
  Command(CLI::App& app, const std::string& name, const std::string& description)
      : subcommand_(app.add_subcommand(name, description)) {}
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  [[nodiscard]] bool chosen() const { return subcommand_->parsed(); }

  /// `clang_flags` is what stood behind `--` on the command line.
  virtual ExitCode run(const std::vector<std::string>& clang_flags) = 0;

 protected:
  CLI::App& subcommand() { return *subcommand_; }

 private:
  CLI::App* subcommand_;
};

/// `heddle: error: <message>` on standard error.
void print_error(const std::string& message);

/// `heddle: note: <note>` on standard error, each.
void print_notes(const std::vector<std::string>& notes);

/// For options that take a count: CLI11 alone would take -1 for a very large number. Empty: it is fine.
std::string check_positive(const std::string& text);

/// Flushes standard output; a report that did not arrive must not end in the exit code of one that did.
ExitCode finish_output(ExitCode code);

}  // namespace heddle::cli
