// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program says of its own arguments: to shells that complete them, to `man`, to people who mistype them. All
// of it is read off the declarations, so that none of it gets old.
#pragma once
#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace heddle::cli {

/// Words that may follow `before`, one per line: commands, then options of the command, or the values of an option that
/// has a fixed set of them.
void print_fitting_words(std::ostream& out, const CLI::App& app, const std::vector<std::string>& before);

/// A page for man(1): of one command, or of the program with a list of commands.
void print_man_page(std::ostream& out, const CLI::App& app, const std::string& command);

/// `; did you mean 'scan'?`, or nothing.
std::string did_you_mean(const CLI::App& app, const std::string& command);
/// The same for an option of the command that the line begins with.
std::string did_you_mean_option(const CLI::App& app, const std::vector<std::string>& line);

}  // namespace heddle::cli
